#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "ops/non_zero.hpp"

namespace mo::onnx {

/// Ops that make or use indices.
void register_indexing(OperatorTable& table) {
  table.extract("NonZero", since(9), [](const FrameworkNode&) -> Expected<Op> { return ops::NonZero{.output_type = ElementType::i64}; });
  table.extract("Compress", since(9), [](const FrameworkNode& node) -> Expected<Op> {
    if (const auto axis = node.optional_attr<std::int64_t>("axis")) return front_op("OnnxCompress", {{"axis", *axis}});
    return front_op("OnnxCompress");
  });
  table.extract("Range", since(11), [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"stash_type"});
    return front_op("OnnxRange");
  });
  // ONNX OneHot-9: what lies outside of [0, depth) has no hot element; OneHot-11: negative indices count from the back.
  table.extract("OneHot", versions(9, 10), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxOneHot", {{"axis", node.attr<std::int64_t>("axis", -1)}, {"wrap", false}});
  });
  table.extract("OneHot", since(11), [](const FrameworkNode& node) -> Expected<Op> {
    return front_op("OnnxOneHot", {{"axis", node.attr<std::int64_t>("axis", -1)}, {"wrap", true}});
  });
  table.extract("EyeLike", since(9), [](const FrameworkNode& node) -> Expected<Op> {
    AttributeMap attributes{{"k", node.attr<std::int64_t>("k", 0)}};
    if (const auto number = node.optional_attr<std::int64_t>("dtype")) {
      MO_ASSIGN(const ElementType type, data_type_of_number(node, "dtype", *number));
      attributes.set("dtype", type);
    }
    return front_op("OnnxEyeLike", std::move(attributes));
  });
  table.extract("Unique", since(11), [](const FrameworkNode& node) -> Expected<Op> {
    AttributeMap attributes{{"sorted", node.attr("sorted", true)}};
    if (const auto axis = node.optional_attr<std::int64_t>("axis")) attributes.set("axis", *axis);
    return front_op("OnnxUnique", std::move(attributes));
  });
}

}  // namespace mo::onnx
