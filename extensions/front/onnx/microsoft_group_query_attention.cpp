#include "extensions/support/attention.hpp"
#include "ops/concat.hpp"
#include "ops/mat_mul.hpp"
#include "ops/slice.hpp"
#include "ops/soft_max.hpp"
#include "ops/split.hpp"
#include "ops/transpose.hpp"

namespace mo::front::onnx {
namespace {

constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

/// x [B, N, S, H] turned by the angles of its positions: the first `size` elements (twice the columns of the tables) of each head, as pairs of
/// neighbours (`interleaved`) or of element i and element i + size / 2. Tables [M, size / 2], positions [B, S] (i64).
Value rotated(Rewriter& rw, const Value& x, const Value& positions, const Value& cosines, const Value& sines, bool interleaved) {
  const Value rows = rw.scalar<std::int64_t>(0);
  const auto of_positions = [&](const Value& table) {
    return Term(rw, rw.create(ops::Unsqueeze{}, rw.create(ops::Gather{}, table, positions, rows), rw.integers({1})), ElementType::dynamic);
  };
  const Value half = length_along(rw, cosines, 1);
  const Value zero = rw.integers({0});
  const Value last = rw.integers({-1});
  const Value one = rw.integers({1});
  const Value two = rw.integers({2});
  const Value size = rw.create(ops::Add{}, half, half);
  const auto part = [&](const Value& begin, const Value& end, const Value& step) {
    return Term(rw, rw.create(ops::Slice{}, x, begin, end, step, last), ElementType::dynamic);
  };
  const Term a = interleaved ? part(zero, size, two) : part(zero, half, one);
  const Term b = interleaved ? part(one, size, two) : part(half, size, one);
  const Term cosine = of_positions(cosines);
  const Term sine = of_positions(sines);
  const Value first = a * cosine - b * sine;
  const Value second = b * cosine + a * sine;
  const Value rest = part(size, rw.integers({kToTheEnd}), one);
  if (!interleaved) return rw.create(ops::Concat{.axis = -1}, first, second, rest);
  // [.., size / 2] twice -> [.., size / 2, 2] -> [.., size]
  const Value pairs = rw.create(ops::Concat{.axis = -1}, rw.create(ops::Unsqueeze{}, first, last), rw.create(ops::Unsqueeze{}, second, last));
  const Value flat = rw.create(ops::Reshape{.special_zero = true}, pairs, join(rw, {rw.integers({0, 0, 0}), size}));
  return rw.create(ops::Concat{.axis = -1}, flat, rest);
}

/// RotaryEmbedding(x, positions, cosines, sines): x is [B, S, N * H] or [B, N, S, H]; positions are [B, S], or one number: that of the first
/// element of the sequence.
Replacement rotary_embedding(const Node& node, Rewriter& rw) {
  auto rank = required_rank(node, 0);
  if (!rank) return std::move(rank).error();
  if (*rank != 3 && *rank != 4)
    return node.error("MO-ONNX-0442", "the data have {} dimensions", *rank).hint("RotaryEmbedding turns data of 3 or 4 dimensions");
  auto position_rank = required_rank(node, 1);
  if (!position_rank) return std::move(position_rank).error();
  const Value cosines = node.input(2);
  Value x = node.input(0);
  if (*rank == 3) {
    const std::int64_t heads = node.attr<std::int64_t>("num_heads").value_or(0);
    if (heads > 0) {
      x = split_heads(rw, x, heads);
    } else {
      // Whole heads are turned, so that the tables tell their size.
      const Value half = length_along(rw, cosines, 1);
      const Value shape = join(rw, {rw.integers({0, 0, -1}), rw.create(ops::Add{}, half, half)});
      x = rw.create(ops::Transpose{}, rw.create(ops::Reshape{.special_zero = true}, x, shape), rw.integers({0, 2, 1, 3}));
    }
  }
  Value positions = as_i64(rw, node.input(1));
  if (*position_rank < 2) {
    const Value first = as_length(rw, positions);
    const Value places = rw.create(ops::Add{}, count_up(rw, dimension_of(rw, x, 2), ElementType::i64), first);
    positions = rw.create(ops::Unsqueeze{}, places, rw.integers({0}));
  }
  const Value turned = rotated(rw, x, positions, cosines, node.input(3), node.attr<bool>("interleaved").value_or(false));
  return *rank == 3 ? merged_heads(rw, turned) : turned;
}

/// Keys (or values) of all steps: row j of [B, K, max(P, total), H] is an earlier one below `before`, one of this step in the S rows from there
/// on, and whatever the buffer of earlier ones holds behind them.
Value with_past(Rewriter& rw, const Value& past, const Value& now, const Value& places) {
  if (!past) return now;
  return rw.create(ops::Gather{.batch_dims = 1}, rw.create(ops::Concat{.axis = 2}, past, now), places, rw.scalar<std::int64_t>(2));
}

/// GroupQueryAttention: G = N / K queries share one key. Inputs: queries [B, S, N * H] (or queries, keys and values in one), keys and values
/// [B, S, K * H], earlier ones [B, K, P, H], index of the last key of each batch [B], length of the longest sequence, tables of cosines and
/// sines, positions, bias of the scores. Outputs: [B, S, N * H], all keys, all values.
Replacement group_query_attention(const Node& node, Rewriter& rw) {
  const std::int64_t heads = node.attr<std::int64_t>("num_heads").value_or(1);
  const std::int64_t shared = node.attr<std::int64_t>("kv_num_heads").value_or(1);
  Value query = node.input(0);
  Value key = node.input(1);
  Value value = node.input(2);
  if (key && value) {
    query = split_heads(rw, query, heads);
    key = split_heads(rw, key, shared);
    value = split_heads(rw, value, shared);
  } else if (!key && !value) {
    const Value all = split_heads(rw, query, heads + 2 * shared);
    const Node parts = rw.create_node(ops::VariadicSplit{}, {all, rw.scalar<std::int64_t>(1), rw.integers({heads, shared, shared})}, 3);
    query = parts.output(0);
    key = parts.output(1);
    value = parts.output(2);
  } else {
    return missing_input(node);
  }

  const Value past_key = node.input(3);
  const Value past_value = node.input(4);
  if (static_cast<bool>(past_key) != static_cast<bool>(past_value)) return missing_input(node);
  const Value length = dimension_of(rw, query, 2);
  const Term steps = count_up(rw, length, ElementType::i64);
  // How many keys each batch had before: its length less the S new ones; none in the first step, where shorter batches are filled up.
  const Term zero(rw, rw.scalar<std::int64_t>(0), ElementType::i64);
  Term before = zero;
  Value places;
  if (past_key) {
    const Term last(rw, as_i64(rw, node.input(5)), ElementType::i64);
    before = larger(last + 1 - Term(rw, length, ElementType::i64), zero).reshaped({-1, 1});
    const Term room(rw, dimension_of(rw, past_key, 2), ElementType::i64);
    const Value whole = larger(room, Term(rw, as_scalar(rw, as_i64(rw, node.input(6))), ElementType::i64));
    const Term place = count_up(rw, whole, ElementType::i64).unsqueezed({0});
    const Term behind = before + Term(rw, length, ElementType::i64);
    const Term now = place - before + room;
    const Term kept = smaller(place, room + Term(rw, length, ElementType::i64) - 1);
    const Term is_now = both(less_equal(before, place), less(place, behind));
    places = choose(is_now, now, kept);
  }
  const Term position = before + steps.unsqueezed({0});  // [B, S], or [1, S]

  if (node.attr<bool>("do_rotary").value_or(false)) {
    if (!node.input(7) || !node.input(8)) return missing_input(node);
    const Value positions = node.input(9) ? as_i64(rw, node.input(9)) : position.value();
    const bool interleaved = node.attr<bool>("interleaved").value_or(false);
    query = rotated(rw, query, positions, node.input(7), node.input(8), interleaved);
    key = rotated(rw, key, positions, node.input(7), node.input(8), interleaved);
  }
  key = with_past(rw, past_key, key, places);
  value = with_past(rw, past_value, value, places);

  // [B, K, G * S, H]: the queries of a group are rows beside each other, so that nothing is copied for the shared keys.
  Attention a;
  const double scale = node.attr<double>("scale").value_or(0);
  if (scale != 0) a.scale = scale;
  a.soft_cap = node.attr<double>("softcap").value_or(0);
  const std::int64_t group = heads / shared;
  const Value group_axis = rw.integers({2});
  a.query = group == 1 ? query
                       : rw.create(ops::Reshape{.special_zero = true}, query,
                                   join(rw, {rw.integers({0, shared, group}), length_along(rw, query, 2), rw.integers({-1})}));
  a.key = group == 1 ? key : rw.create(ops::Unsqueeze{}, key, group_axis);
  a.value = group == 1 ? value : rw.create(ops::Unsqueeze{}, value, group_axis);
  const Term keys = count_up(rw, dimension_of(rw, key, 2), ElementType::i64);
  const Term allowed = less_equal(keys, position.unsqueezed({2}));  // [B, S, T]
  a.allowed = allowed.unsqueezed(group == 1 ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{1, 2});
  if (const Value bias = node.input(10)) {
    // [B or 1, N or 1, S, T]
    a.bias = bias;
    if (group != 1) {
      const PartialShape shape = known_shape(bias);
      if (shape.size() != 4 || !shape[1].is_known() || (shape[1].value() != 1 && shape[1].value() != heads))
        return node.error("MO-ONNX-0441", "the shape of the bias of the scores is not known, and the heads share keys")
            .hint("make the bias an input of the model of a known number of heads");
      const std::int64_t own = shape[1].value() == 1 ? 1 : shared;
      const std::int64_t each = shape[1].value() == 1 ? 1 : group;
      a.bias = rw.create(ops::Reshape{.special_zero = true}, bias,
                         join(rw, {rw.integers({0, own, each}), length_along(rw, bias, 2), length_along(rw, bias, 3)}));
    }
  }
  Value result = attend(rw, a);
  if (group != 1)
    result =
        rw.create(ops::Reshape{.special_zero = true}, result, join(rw, {rw.integers({0, heads}), length_along(rw, query, 2), rw.integers({-1})}));
  Outputs outputs(node.out_port_count());
  outputs[0] = merged_heads(rw, result);
  if (outputs.size() > 1) outputs[1] = key;
  if (outputs.size() > 2) outputs[2] = value;
  return outputs;
}

}  // namespace

void register_microsoft_group_query_attention(PassRegistry& passes) {
  passes.add(front_replacement_op("MicrosoftRotaryEmbedding")
                 .run_after({"OnnxReduction", "OnnxReshape", "OnnxSqueeze", "OnnxTranspose", "OnnxUnsqueeze"})
                 .replace_op(needing(4, rotary_embedding)));
  passes.add(front_replacement_op("MicrosoftGroupQueryAttention").replace_op(needing(1, [](const Node& node, Rewriter& rw) -> Replacement {
    if (!node.input(5) || !node.input(6)) return missing_input(node);
    return group_query_attention(node, rw);
  })));
}

}  // namespace mo::front::onnx
