#include "frontends/onnx/ops/support/attention.hpp"

#include <algorithm>
#include <limits>

#include "core/graph/values.hpp"
#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"
#include "ops/mat_mul.hpp"
#include "ops/pad.hpp"
#include "ops/select.hpp"
#include "ops/soft_max.hpp"

namespace mo::onnx {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// Queries, keys and values as [B, heads, steps, size].
struct AttentionInputs {
  Value query;
  Value key;
  Value value;
  bool merged = false;  ///< the model has [B, steps, heads * size]
};

Expected<AttentionInputs> attention_inputs(const FrameworkNode& node, Rewriter& rw) {
  AttentionInputs in{node.input(0), node.input(1), node.input(2)};
  MO_ASSIGN(const std::int64_t rank, required_rank(node, 0));
  if (rank != 3 && rank != 4)
    return node.error("MO-ONNX-0442", "the queries have {} dimensions", rank)
        .hint("Attention takes data of 3 or 4 dimensions");
  if (rank == 4) {
    node.ignore({"q_num_heads", "kv_num_heads"}, "of data with three dimensions; the heads are a dimension here");
    return in;
  }
  MO_ASSIGN(const std::int64_t heads, head_count(node, "q_num_heads"));
  MO_ASSIGN(const std::int64_t shared, head_count(node, "kv_num_heads"));
  in.merged = true;
  in.query = split_heads(rw, in.query, heads);
  in.key = split_heads(rw, in.key, shared);
  in.value = split_heads(rw, in.value, shared);
  return in;
}

/// Attention-25: how many keys before and after its own place a query sees; nothing: all of them.
struct AttentionWindow {
  std::optional<std::int64_t> left;
  std::optional<std::int64_t> right;
  bool is_open() const { return !left && !right; }
};
Expected<AttentionWindow> attention_window(const FrameworkNode& node) {
  AttentionWindow window;
  if (node.version() < 25) return window;
  const auto read = [&](std::string_view name, std::optional<std::int64_t>& size) -> Expected<void> {
    const auto given = node.attr<std::int64_t>(name, -1);
    if (given < -1)
      return node.error("MO-ONNX-0449", "{} is {}", name, given).hint("it is a number of keys, or -1 for all of them");
    constexpr std::int64_t kEverything = std::int64_t{1} << 32;  // no tensor has more places
    if (given >= 0) size = std::min(given, kEverything);
    return {};
  };
  MO_TRY(read("left_window_size", window.left));
  MO_TRY(read("right_window_size", window.right));
  return window;
}

/// Where a query [B, N, S, H] may look: boolean, broadcasts to [B, N, S, T]; nothing: everywhere. `past_key`: the keys
/// before row 0.
std::optional<Term> allowed_keys(const FrameworkNode& node, Rewriter& rw, const Value& query, const Value& key,
                                 const Value& past_key, const AttentionWindow& window) {
  const Value counted = node.input(6);  // how many keys of each batch are not padding: [B]
  const Value steps = dimension_of(rw, query, 2);
  const Term places = count_up(rw, dimension_of(rw, key, 2), ElementType::i64);
  std::optional<Term> allowed;
  const auto restrict = [&](const Term& more) { allowed = allowed ? both(*allowed, more) : more; };
  const bool is_causal = node.attr("is_causal", false);
  if (is_causal || !window.is_open()) {
    // The place of a row is counted from the end of the earlier keys; with padding, the last row has the place of the
    // last key that counts.
    Term row = count_up(rw, steps, ElementType::i64).unsqueezed({1});
    if (counted)
      row = row +
            Term(rw, rw.create(ops::Subtract{}, as_i64(rw, counted), steps), ElementType::i64).unsqueezed({1, 2, 3});
    else if (past_key)
      row = row + Term(rw, dimension_of(rw, past_key, 2), ElementType::i64);
    if (is_causal) restrict(less_equal(places, row));
    if (window.left) restrict(greater_equal(places, row - static_cast<double>(*window.left)));
    if (window.right) restrict(less_equal(places, row + static_cast<double>(*window.right)));
  }
  if (counted) restrict(less(places, Term(rw, as_i64(rw, counted), ElementType::i64).unsqueezed({1, 2, 3})));
  return allowed;
}

/// The mask with as many columns as there are keys: keys without one do not count.
Expected<Value> mask_of_all_keys(const FrameworkNode& node, Rewriter& rw, const Value& mask, const Value& key) {
  const PartialShape& shape = mask.type().shape;
  MO_ASSIGN(const std::int64_t rank, required_rank(node, 3));
  const PartialShape& keys = key.type().shape;
  if (rank < 2 || rank > 4)
    return node.error("MO-ONNX-0442", "the mask has {} dimensions", rank)
        .hint("a mask has 2 to 4 dimensions; export the model again with a newer exporter");
  if (node.version() < 24 || shape[static_cast<std::size_t>(rank - 1)].same_value(keys[2])) return mask;
  const Value missing = rw.create(ops::Subtract{}, length_along(rw, key, 2), length_along(rw, mask, -1));
  const Value none = rw.integers(std::vector<std::int64_t>(static_cast<std::size_t>(rank), 0));
  const Value end = join(rw, {rw.integers(std::vector<std::int64_t>(static_cast<std::size_t>(rank - 1), 0)), missing});
  const bool is_boolean = mask.type().element_type == ElementType::boolean;
  return rw.create(ops::Pad{}, mask, none, end, is_boolean ? rw.scalar(false) : number_like(rw, mask, kMinusInfinity));
}

/// What is added to the scores: the mask, and minus infinity where a query may not look.
struct Bias {
  Value value;             ///< empty when there is nothing to add
  bool may_close = false;  ///< whether there may be queries that see no key
};

/// Whether a mask of reals may hide something completely: one that selects among a few finite numbers cannot.
bool may_be_infinite(const Value& mask) {
  constexpr std::size_t kMostParts = 16;
  std::vector<Value> parts{mask};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Node node = parts[i].node();
    if (const auto numbers = reals_of(parts[i])) {
      if (std::any_of(numbers->begin(), numbers->end(), [](double number) { return number == kMinusInfinity; }))
        return true;
      continue;
    }
    if (!node.is<ops::Select>() || parts.size() > kMostParts) return true;
    parts.insert(parts.end(), {node.input(1), node.input(2)});
  }
  return false;
}

Expected<Bias> bias_of_scores(const FrameworkNode& node, Rewriter& rw, const Value& query, const Value& key,
                              const Value& past_key) {
  MO_ASSIGN(const AttentionWindow window, attention_window(node));
  std::optional<Term> allowed = allowed_keys(node, rw, query, key, past_key, window);
  Value bias;
  // Otherwise each query sees the first key.
  bool may_close = window.left || node.has_input(6);
  if (node.input(3)) {
    MO_ASSIGN(const Value mask, mask_of_all_keys(node, rw, node.input(3), key));
    if (mask.type().element_type == ElementType::boolean) {
      const Term given(rw, mask, ElementType::boolean);
      allowed = allowed ? both(*allowed, given) : given;
      may_close = true;
    } else {
      const bool is_as_given = mask == node.input(3) && mask.type().element_type == key.type().element_type;
      may_close = may_close || !is_as_given || may_be_infinite(mask);
      bias = as_type_of(rw, mask, key);  // integers, too
    }
  }
  if (!allowed) return Bias{bias, may_close};
  const Value closed =
      rw.create(ops::Select{}, allowed->value(), number_like(rw, query, 0), number_like(rw, query, kMinusInfinity));
  return Bias{bias ? rw.create(ops::Add{}, bias, closed) : closed, may_close};
}

/// The weights of a row are 0 when it may look nowhere, where SoftMax divides by 0.
Value soft_max_of_open_rows(Rewriter& rw, const Value& scores, const Bias& bias) {
  const Value weights = rw.create(ops::SoftMax{.axis = -1}, scores);
  if (!bias.may_close) return weights;
  // Not asked of the maximum: runtimes begin it with the lowest finite number, which is a bias that rows may have.
  const Term closed = reduced<ops::ReduceKind::logical_and>(equal(term(rw, bias.value), kMinusInfinity), {-1}, true);
  return rw.create(ops::Select{}, closed.value(), number_like(rw, weights, 0), weights);
}

/// ONNX Attention-23: SoftMax(cap(query * key^T * scale) + mask) * value. Inputs: queries, keys, values, mask, earlier
/// keys and values, and from opset 24 on the number of keys that are no filling. Outputs: result, all keys, all values,
/// and the scores at the stage that the mode tells.
Replacement attention_of_onnx(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(AttentionInputs in, attention_inputs(node, rw));
  const Value past_key = node.input(4);
  if (static_cast<bool>(past_key) != node.has_input(5))
    return node.error("MO-ONNX-0444", "only one of past_key and past_value is given")
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  if (past_key) {
    in.key = rw.create(ops::Concat{.axis = 2}, past_key, in.key);
    in.value = rw.create(ops::Concat{.axis = 2}, node.input(5), in.value);
  }
  const auto stage = node.attr<std::int64_t>("qk_matmul_output_mode", 0);
  if (stage < 0 || stage > 3)
    return node.error("MO-ONNX-0449", "qk_matmul_output_mode is {}", stage).hint("it is 0, 1, 2 or 3");
  const auto precision = node.attr<std::int64_t>("softmax_precision", 0);

  const Value query = scaled_query(rw, in.query, node.optional_attr<double>("scale"));
  Value stages[4];
  stages[0] = rw.create(ops::MatMul{.transpose_b = true}, query, for_all_queries(rw, in.key, in.query));
  stages[1] = soft_capped(rw, stages[0], node.attr("softcap", 0.0));
  MO_ASSIGN(const Bias bias, bias_of_scores(node, rw, in.query, in.key, past_key));
  stages[2] = bias.value ? rw.create(ops::Add{}, stages[1], bias.value) : stages[1];
  Value scores = stages[2];
  if (precision != 0) {
    MO_ASSIGN(const ElementType type, data_type_of_number(node, "softmax_precision", precision));
    scores = as_type(rw, scores, type);
  }
  stages[3] = as_type_of(rw, soft_max_of_open_rows(rw, scores, bias), in.query);

  Outputs outputs(node.output_count());
  const Value result = rw.create(ops::MatMul{}, stages[3], for_all_queries(rw, in.value, in.query));
  outputs[0] = in.merged ? merged_heads(rw, result) : result;
  if (outputs.size() > 1) outputs[1] = in.key;
  if (outputs.size() > 2) outputs[2] = in.value;
  if (outputs.size() > 3) outputs[3] = stages[stage];
  return outputs;
}

}  // namespace

void register_attention(OperatorTable& table) {
  table.translate("Attention", versions(23, 23), attention_of_onnx);
  table.translate("Attention", versions(24, 24), attention_of_onnx);  // masks may be short, and filling is told
  table.translate("Attention", since(25), attention_of_onnx);         // windows
}

}  // namespace mo::onnx
