#include "frontends/tensorflow/ops/support/number_type.hpp"

namespace mo::tensorflow {
namespace {

/// Values and indices; a node lists only the outputs that are read.
Expected<Op> top_k(const FrameworkNode& node, AttributeMap attributes) {
  MO_TRY(number_type(node));
  MO_ASSIGN(const ElementType index_type, number_type(node, "index_type", ElementType::i32));
  attributes.set("sorted", node.attr("sorted", true));
  attributes.set("index_type", index_type);
  node.declare_outputs(2);
  return front_op("TfTopK", std::move(attributes));
}

}  // namespace

void register_top_k(OperatorTable& table) {
  // TopK has k as an attribute, TopKV2 as an input.
  table.extract("TopK", [](const FrameworkNode& node) { return top_k(node, {{"k", node.required<std::int64_t>("k")}}); });
  table.extract("TopKV2", [](const FrameworkNode& node) { return top_k(node, {}); });
  // The predictions of InTopK are always f32; T is the type of the targets, and in InTopKV2 also that of k.
  table.extract("InTopK", [](const FrameworkNode& node) -> Expected<Op> { return front_op("TfInTopK", {{"k", node.required<std::int64_t>("k")}}); });
  table.extract("InTopKV2", [](const FrameworkNode&) -> Expected<Op> { return front_op("TfInTopK"); });
}

}  // namespace mo::tensorflow
