#include <fmt/format.h>

#include "frontends/onnx/ops/support/attention.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/scan.hpp"
#include "ops/build/term.hpp"
#include "ops/gather.hpp"
#include "ops/mat_mul.hpp"
#include "ops/squeeze.hpp"

namespace mo::onnx {
namespace {

/// How the state S [B, K, D, V] takes in a key k and a value v: decay d first (S = exp(d) * S), then S += k * w^T,
/// where w is v, or with `corrects` what is missing to it: beta * (v - S^T k).
struct UpdateRule {
  bool decays = false;
  bool corrects = false;
};

/// One step over [B, heads, size] slices; the result is scale * q^T S for each of the N heads of the queries.
Body attention_step(const UpdateRule& rule, bool shares_keys, const std::optional<double>& scale) {
  auto graph = std::make_unique<Graph>();
  Rewriter rw(*graph);
  Term state = body_parameter(rw, "state", ElementType::f32, 4);
  const Term query = body_parameter(rw, "query", ElementType::f32, 3);
  const Term key = body_parameter(rw, "key", ElementType::f32, 3).unsqueezed({3});
  Term written = body_parameter(rw, "value", ElementType::f32, 3).unsqueezed({2});
  if (rule.decays) state = state * body_parameter(rw, "decay", ElementType::f32, 3).unsqueezed({3}).apply(ops::Exp{});
  if (rule.corrects) {
    const Term beta = body_parameter(rw, "beta", ElementType::f32, 3).unsqueezed({3});
    const Term stored(rw, rw.create(ops::MatMul{.transpose_a = true}, key, state), ElementType::f32);
    written = (written - stored) * beta;
  }
  state = state + Term(rw, rw.create(ops::MatMul{}, key, written), ElementType::f32);
  const Value read = shares_keys ? for_all_queries(rw, state, query.unsqueezed({2})) : state.value();
  const Term products(rw, rw.create(ops::MatMul{}, scaled_query(rw, query.unsqueezed({2}), scale), read),
                      ElementType::f32);
  graph->create_result(state);
  graph->create_result(rw.create(ops::Squeeze{}, products, rw.integers({2})));
  return Body(std::move(graph));
}

/// [B, S, heads * size] -> [B, S, heads, size] in f32.
Value heads_of_steps(Rewriter& rw, const Value& x, std::int64_t heads) {
  return as_type(rw, rw.create(ops::Reshape{.special_zero = true}, x, rw.integers({0, 0, heads, -1})),
                 ElementType::f32);
}

/// Queries [B, S, N, D], each for K / N keys in a row (ONNX Runtime's form of Gated DeltaNet): [B, S, K, D].
Value repeated_queries(Rewriter& rw, const Value& query, std::int64_t heads, std::int64_t keys) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(keys));
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<std::int64_t>(i) / (keys / heads);
  return rw.create(ops::Gather{}, query, rw.integers(places), rw.scalar<std::int64_t>(2));
}

/// LinearAttention-27: queries [B, S, N * D], keys [B, S, K * D], values [B, S, K * V], state [B, K, D, V], decay [B,
/// S, K * D or K], beta [B, S, K or 1]. Outputs: [B, S, N * V] and the last state. com.microsoft allows more keys than
/// queries.
Replacement linear_attention(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  MO_ASSIGN(std::int64_t heads, head_count(node, "q_num_heads"));
  MO_ASSIGN(const std::int64_t shared, head_count(node, "kv_num_heads"));
  if (heads % shared != 0 && shared % heads != 0)
    return node.error("MO-ONNX-0449", "{} heads do not divide into groups for {} keys", heads, shared)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  node.ignore({"chunk_size"}, "of the algorithm: the result is the same");
  const std::string name = node.attr("update_rule", "gated_delta");
  if (name != "linear" && name != "gated" && name != "delta" && name != "gated_delta")
    return node.error("MO-ONNX-0449", "update_rule is \"{}\"", name).hint("it is linear, gated, delta or gated_delta");
  const UpdateRule rule{.decays = name.starts_with("gated"), .corrects = name.ends_with("delta")};
  if ((rule.decays && !node.has_input(4)) || (rule.corrects && !node.has_input(5)))
    return node.error("MO-ONNX-0449", "update_rule {} lacks its decay or beta", name)
        .hint("inputs 4 and 5 are the decay and beta");
  Value query = heads_of_steps(rw, node.input(0), heads);
  if (shared > heads) {
    query = repeated_queries(rw, query, heads, shared);
    heads = shared;
  }
  const Value key = heads_of_steps(rw, node.input(1), shared);
  const Value value = heads_of_steps(rw, node.input(2), shared);
  Value state = node.input(3);
  if (state) {
    state = as_type(rw, state, ElementType::f32);
  } else {
    const Value size = join(
        rw, {length_along(rw, query, 0), rw.integers({shared}), length_along(rw, key, 3), length_along(rw, value, 3)});
    state = repeat(rw, rw.scalar(0.0F), size);
  }
  std::vector<Value> inputs = {state, query, key, value};
  if (rule.decays) inputs.push_back(heads_of_steps(rw, node.input(4), shared));
  if (rule.corrects) {
    // [B, S, K or 1] -> [B, S, K or 1, 1]
    const Value beta = as_type(rw, node.input(5), ElementType::f32);
    inputs.push_back(rw.create(ops::Unsqueeze{}, beta, rw.integers({3})));
  }
  auto scale = node.optional_attr<double>("scale");
  if (scale == 0.0) scale.reset();
  ScanPlan plan;
  plan.body = attention_step(rule, heads != shared, scale);
  plan.states = 1;
  plan.scans = inputs.size() - 1;
  plan.input_axes.assign(plan.scans, 1);
  plan.output_axes = {1};
  MO_ASSIGN(const Node made, make_scan(rw, node.node(), std::move(plan), inputs, 2));
  const Value merged = rw.create(ops::Reshape{.special_zero = true}, made.output(1), rw.integers({0, 0, -1}));
  Outputs outputs(node.output_count());
  outputs[0] = as_type_of(rw, merged, node.input(0));
  if (outputs.size() > 1) outputs[1] = as_type_of(rw, made.output(0), node.input(node.has_input(3) ? 3 : 0));
  return outputs;
}

/// The window of states, which only com.microsoft has, has no counterpart.
Replacement microsoft_linear_attention(const FrameworkNode& node, Rewriter& rw) {
  if (const auto window = node.attr<std::int64_t>("state_window", 0))
    return not_expressible(node, fmt::format("a window of {} states", window));
  return linear_attention(node, rw);
}

}  // namespace

void register_linear_attention(OperatorTable& table) {
  table.translate("LinearAttention", since(27), linear_attention);
  table.translate("com.microsoft::LinearAttention", since(1), microsoft_linear_attention);
}

}  // namespace mo::onnx
