#include "frontends/onnx/ops/support/attention.hpp"
#include "frontends/onnx/ops/support/bodies.hpp"
#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/mat_mul.hpp"
#include "ops/soft_max.hpp"

namespace mo::onnx {
namespace {

/// The graph of the attribute, put where it is used: it takes one tensor (and what it captures), and gives one. The
/// tensor itself without it.
Expected<Value> modified(const FrameworkNode& node, Rewriter& rw, std::string_view attribute, const Value& x) {
  if (!node.has(attribute)) return x;
  Body body = node.take_body(attribute);
  MO_ASSIGN(const BodyInputs inputs, body_inputs(node, {&body.graph()}));
  const std::vector<Node> parameters = body.graph().parameters();
  std::vector<Value> arguments;
  for (const Node& parameter : parameters) {
    const auto name = std::find(inputs.captures.names.begin(), inputs.captures.names.end(), parameter.name());
    arguments.push_back(name == inputs.captures.names.end()
                            ? x
                            : inputs.captures.values[static_cast<std::size_t>(name - inputs.captures.names.begin())]);
  }
  if (std::count(arguments.begin(), arguments.end(), x) != 1 || body.graph().results().size() != 1)
    return node
        .error("MO-ONNX-0449", "{} is a graph with {} inputs and {} outputs", attribute, parameters.size(),
               body.graph().results().size())
        .hint("it takes one tensor and gives one; export the model again with a newer exporter");
  MO_ASSIGN(const std::vector<Value> results, rw.inline_body(body.graph(), arguments, BodyFate::used_up));
  return results.front();
}

/// FlexAttention-1 of the preview domain: prob_mod(SoftMax(score_mod(query * key^T * scale))) * value, where queries
/// may share keys.
Replacement flex_attention(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(3));
  const Value query = node.input(0);
  const auto precision = node.attr<std::int64_t>("softmax_precision", 1);
  MO_ASSIGN(const ElementType type, data_type_of_number(node, "softmax_precision", precision));
  const Value keys = for_all_queries(rw, node.input(1), query);
  const Value products =
      rw.create(ops::MatMul{.transpose_b = true}, scaled_query(rw, query, node.optional_attr<double>("scale")), keys);
  MO_ASSIGN(const Value scores, modified(node, rw, "score_mod", as_type(rw, products, type)));
  MO_ASSIGN(const Value weights, modified(node, rw, "prob_mod", rw.create(ops::SoftMax{.axis = -1}, scores)));
  return rw.create(ops::MatMul{}, as_type_of(rw, weights, query), for_all_queries(rw, node.input(2), query));
}

}  // namespace

void register_flex_attention(OperatorTable& table) {
  table.translate("ai.onnx.preview::FlexAttention", since(1), flex_attention);
}

}  // namespace mo::onnx
