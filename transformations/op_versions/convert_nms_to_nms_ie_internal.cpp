#include <algorithm>

#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/custom_operation.hpp"
#include "ops/non_max_suppression.hpp"
#include "transformations/op_versions/support/static_suppression.hpp"

namespace mo::transformations {
namespace {

/// Rows for the most boxes of each class in each image; unknown numbers stay so.
Expected<void> infer_internal_suppression(const AttributeMap&, InferContext& ctx) {
  const PartialShape& scores = ctx.input_shape(1);
  Dimension rows;
  if (scores.has_rank() && scores.size() == 3) {
    const auto most = ctx.integer(2);
    const Dimension& boxes = scores[2];
    if (most && *most >= 0)
      rows =
          scores[0] * scores[1] * (boxes.is_known() ? Dimension(std::min(*most, boxes.value())) : Dimension(0, *most));
  }
  ctx.output(0, ElementType::i32, PartialShape({rows, Dimension(3)}));
  ctx.output(1, ElementType::f32, PartialShape({rows, Dimension(3)}));
  ctx.output(2, ElementType::i32, PartialShape({Dimension(1)}));
  return {};
}

/// The numbers of the suppression as lists of one; what is absent is 0.
std::vector<Value> internal_inputs(const Node& node, Rewriter& rw) {
  std::vector<Value> inputs{node.input(0), node.input(1)};
  for (std::size_t i = 2; i < 6; ++i) {
    const Value given = i < node.in_port_count() ? node.input(i) : Value();
    if (i == 5 && (!given || single_real_of(given) == 0.0)) break;
    const Value number = given ? given : i == 2 ? rw.scalar<std::int32_t>(0) : rw.scalar<float>(0);
    inputs.push_back(reshaped_to(rw, number, {1}, /*special_zero=*/true));
  }
  return inputs;
}

}  // namespace

void register_convert_nms_to_nms_ie_internal(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertNMSToNMSIEInternal")
          .described("NonMaxSuppression.v5",
                     "NonMaxSuppressionIEInternal, an op of OpenVINO's plugins, with indices of i32; converted "
                     "to i64 where requested")
          .match(pattern::op<ops::v5::NonMaxSuppression>())
          .replace(of_op<ops::v5::NonMaxSuppression>([](const Node& node, const ops::v5::NonMaxSuppression& op,
                                                        Rewriter& rw) -> Replacement {
            static const auto kRules =
                std::make_shared<const ops::CustomRules>(ops::CustomRules{infer_internal_suppression, {}});
            ops::CustomOperation operation{
                .type = "NonMaxSuppressionIEInternal", .op_set = std::string(kInternalOpSet), .rules = kRules};
            operation.attributes.set("center_point_box", op.box_encoding == ops::BoxEncoding::center);
            operation.attributes.set("sort_result_descending", op.sort_result_descending);
            operation.attributes.set("output_type", "i32");
            const Node made = rw.create_node(ops::custom_operation(std::move(operation)), internal_inputs(node, rw), 3);
            return Outputs{as_wanted(rw, made.output(0), node.output_type(0).element_type), made.output(1),
                           as_wanted(rw, made.output(2), node.output_type(2).element_type)};
          })));
}

}  // namespace mo::transformations
