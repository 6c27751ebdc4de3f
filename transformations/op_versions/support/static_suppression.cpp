#include "transformations/op_versions/support/static_suppression.hpp"

#include <algorithm>

#include "ops/convert.hpp"
#include "ops/custom_operation.hpp"

namespace mo::transformations {
namespace {

Dimension smaller(const Dimension& a, std::int64_t limit) {
  if (limit < 0) return a;
  return a.is_known() ? Dimension(std::min(a.value(), limit)) : Dimension(0, limit);
}

std::int64_t number(const AttributeMap& attributes, std::string_view name) {
  const AttributeValue* const value = attributes.find(name);
  const std::int64_t* const integer = value ? value->get_if<std::int64_t>() : nullptr;
  return integer ? *integer : -1;
}

/// Rows for `nms_top_k` boxes of each class that is not the background, at most `keep_top_k`, in each image.
Expected<void> infer_static_suppression(const AttributeMap& attributes, InferContext& ctx) {
  const PartialShape& boxes = ctx.input_shape(0);
  const PartialShape& scores = ctx.input_shape(1);
  const auto dimension = [](const PartialShape& shape, std::size_t i) {
    return shape.has_rank() && shape.size() > i ? shape[i] : Dimension();
  };
  const Dimension images = dimension(boxes, 0);
  Dimension classes = dimension(scores, 1);
  const std::int64_t background = number(attributes, "background_class");
  if (classes.is_known() && background >= 0 && background < classes.value()) classes = classes.value() - 1;
  const Dimension per_class = smaller(dimension(boxes, 1), number(attributes, "nms_top_k"));
  const Dimension rows = images * smaller(per_class * classes, number(attributes, "keep_top_k"));
  ctx.output(0, ctx.input_element_type(0), PartialShape({rows, Dimension(6)}));
  ctx.output(1, ElementType::i32, PartialShape({rows, Dimension(1)}));
  ctx.output(2, ElementType::i32, PartialShape({images}));
  return {};
}

}  // namespace

Value as_wanted(Rewriter& rw, const Value& made, ElementType wanted) {
  return made.type().element_type == wanted ? made : rw.create(ops::Convert{.destination_type = wanted}, made);
}

Replacement with_static_shape(const Node& node, Rewriter& rw) {
  static const auto kRules = std::make_shared<const ops::CustomRules>(ops::CustomRules{infer_static_suppression, {}});
  ops::CustomOperation operation{.type = "NmsStaticShapeIE_" + std::string(node.type()),
                                 .op_set = std::string(kInternalOpSet),
                                 .attributes = node.attributes(),
                                 .rules = kRules};
  operation.attributes.set("output_type", "i32");
  const Value inputs[] = {node.input(0), node.input(1)};
  const Node made = rw.create_node(ops::custom_operation(std::move(operation)), inputs, 3);
  return Outputs{made.output(0), as_wanted(rw, made.output(1), node.output_type(1).element_type),
                 as_wanted(rw, made.output(2), node.output_type(2).element_type)};
}

}  // namespace mo::transformations
