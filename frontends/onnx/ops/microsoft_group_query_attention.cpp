#include "frontends/onnx/ops/support/attention.hpp"
#include "frontends/onnx/ops/support/required_inputs.hpp"
#include "frontends/onnx/ops/support/rotary.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"
#include "ops/mat_mul.hpp"
#include "ops/slice.hpp"
#include "ops/soft_max.hpp"
#include "ops/split.hpp"
#include "ops/transpose.hpp"

namespace mo::onnx {
namespace {

/// Keys (or values) of all steps: row j of [B, K, max(P, total), H] is an earlier one for j < `before`, one of this
/// step in the next S rows, and after them whatever the buffer of earlier ones holds.
Value with_past(Rewriter& rw, const Value& past, const Value& now, const Value& places) {
  if (!past) return now;
  return rw.create(ops::Gather{.batch_dims = 1}, rw.create(ops::Concat{.axis = 2}, past, now), places,
                   rw.scalar<std::int64_t>(2));
}

/// Error MO-ONNX-0444 for options that an IR cannot say.
Expected<void> check_options(const FrameworkNode& node) {
  if (node.attr<std::int64_t>("smooth_softmax", 0) > 0 || node.has_input(11))
    return not_expressible(node, "a SoftMax with a sink has no operation in an IR");
  for (const std::string_view name : {"k_quant_type", "v_quant_type"})
    if (node.attr(name, "NONE") != "NONE")
      return not_expressible(node, "keys or values are quantised between the steps");
  node.ignore({"kv_cache_bit_width"}, "of quantised keys and values, which are refused");
  node.ignore({"qk_output"}, "what output 3 holds, which is refused where it is read");
  if (node.output_used(3)) return not_expressible(node, "the scores are read");
  if (!node.attr("causal", true)) return not_expressible(node, "queries see later keys (causal=0)");
  if (node.attr("sliding_window_cache", false))
    return not_expressible(node, "sliding_window_cache: the earlier keys are a buffer as long as the window");
  if (node.has_input(14) || node.has_input(15))
    return not_expressible(node, "queries and keys are normalised (inputs 14 and 15)");
  node.ignore({"qk_norm_epsilon", "q_norm_epsilon", "k_norm_epsilon"},
              "of the normalisation of queries and keys, which is refused");
  return {};
}

/// GroupQueryAttention: G = N / K queries share one key. Inputs: queries [B, S, N * H] (or queries, keys and values in
/// one), keys and values [B, S, K * H], earlier ones [B, K, P, H], index of the last key of each batch [B], length of
/// the longest sequence, tables of cosines and sines, positions, bias of the scores. Outputs: [B, S, N * H], all keys,
/// all values.
Replacement group_query_attention(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 5, 6}));
  MO_ASSIGN(const std::int64_t heads, head_count(node, "num_heads"));
  MO_ASSIGN(const std::int64_t shared, head_count(node, "kv_num_heads"));
  if (heads % shared != 0)
    return node.error("MO-ONNX-0449", "{} heads do not divide into groups for {} keys", heads, shared)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  MO_TRY(check_options(node));
  Value query = node.input(0);
  Value key = node.input(1);
  Value value = node.input(2);
  if (key && value) {
    query = split_heads(rw, query, heads);
    key = split_heads(rw, key, shared);
    value = split_heads(rw, value, shared);
  } else {
    if (key || value) MO_TRY(require_inputs(node, {1, 2}));
    const Value all = split_heads(rw, query, heads + 2 * shared);
    const Node parts = rw.create_node(ops::VariadicSplit{},
                                      {all, rw.scalar<std::int64_t>(1), rw.integers({heads, shared, shared})}, 3);
    query = parts.output(0);
    key = parts.output(1);
    value = parts.output(2);
  }

  const Value past_key = node.input(3);
  const Value past_value = node.input(4);
  if (past_key || past_value) MO_TRY(require_inputs(node, {3, 4}));
  const Value length = dimension_of(rw, query, 2);
  const Term steps = count_up(rw, length, ElementType::i64);
  // How many keys each batch had before: its length less the S new ones; none in the first step, where shorter batches
  // are filled up.
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

  const bool interleaved = node.attr("rotary_interleaved", false);
  if (node.attr("do_rotary", false)) {
    MO_TRY(require_inputs(node, {7, 8}));
    const Value positions = node.input(9) ? as_i64(rw, node.input(9)) : position.value();
    const Value cosines = rows_of_table(rw, node.input(7), positions);
    const Value sines = rows_of_table(rw, node.input(8), positions);
    query = rotated(rw, query, cosines, sines, interleaved);
    key = rotated(rw, key, cosines, sines, interleaved);
  } else {
    for (const std::size_t i : {7U, 8U, 9U}) node.ignore_input(i, "of do_rotary, which is off");
  }
  key = with_past(rw, past_key, key, places);
  value = with_past(rw, past_value, value, places);

  // [B, K, G * S, H]: the queries of a group are rows beside each other, so that nothing is copied for the shared keys.
  Attention a;
  if (const double scale = node.attr("scale", 0.0); scale != 0) a.scale = scale;
  a.soft_cap = node.attr("softcap", 0.0);
  const std::int64_t group = heads / shared;
  const Value group_axis = rw.integers({2});
  a.query = group == 1
                ? query
                : rw.create(ops::Reshape{.special_zero = true}, query,
                            join(rw, {rw.integers({0, shared, group}), length_along(rw, query, 2), rw.integers({-1})}));
  a.key = group == 1 ? key : rw.create(ops::Unsqueeze{}, key, group_axis);
  a.value = group == 1 ? value : rw.create(ops::Unsqueeze{}, value, group_axis);
  const Term keys = count_up(rw, dimension_of(rw, key, 2), ElementType::i64);
  const Term at = position.unsqueezed({2});
  Term allowed = less_equal(keys, at);  // [B, S, T]
  // A window counts the query's own key, as the models' sliding windows do; older releases of ONNX Runtime let one more
  // in.
  if (const auto window = node.attr<std::int64_t>("local_window_size", -1); window > 0)
    allowed = both(allowed, less(at, keys + static_cast<double>(window)));
  a.allowed = allowed.unsqueezed(group == 1 ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{1, 2});
  if (const Value bias = node.input(10)) {
    // [B or 1, N or 1, S, T]
    a.bias = bias;
    if (group != 1) {
      const PartialShape shape = bias.type().shape;
      if (shape.size() != 4 || !shape[1].is_known() || (shape[1].value() != 1 && shape[1].value() != heads))
        return node
            .error("MO-ONNX-0441", "the bias of the scores has shape {}, and the heads share keys", shape.to_string())
            .hint(
                "its dimension 1 must be known to be 1 or the number of heads: give the shapes of the model's inputs "
                "with --input_shape");
      const std::int64_t own = shape[1].value() == 1 ? 1 : shared;
      const std::int64_t each = shape[1].value() == 1 ? 1 : group;
      a.bias = rw.create(ops::Reshape{.special_zero = true}, bias,
                         join(rw, {rw.integers({0, own, each}), length_along(rw, bias, 2), length_along(rw, bias, 3)}));
    }
  }
  Value result = attend(rw, a);
  if (group != 1)
    result = rw.create(ops::Reshape{.special_zero = true}, result,
                       join(rw, {rw.integers({0, heads}), length_along(rw, query, 2), rw.integers({-1})}));
  Outputs outputs(node.output_count());
  outputs[0] = merged_heads(rw, result);
  if (outputs.size() > 1) outputs[1] = key;
  if (outputs.size() > 2) outputs[2] = value;
  return outputs;
}

}  // namespace

void register_microsoft_group_query_attention(OperatorTable& table) {
  table.translate("com.microsoft::GroupQueryAttention", since(1), group_query_attention);
}

}  // namespace mo::onnx
