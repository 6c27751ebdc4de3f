#include "core/registry/pass_registry.hpp"
#include "ops/convert.hpp"
#include "ops/shape_of.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_shape_of3(PassRegistry& passes) {
  passes.offer(rewrite("ConvertShapeOf3")
                   .described("ShapeOf.v3(x)", "ShapeOf.v1(x), converted to i32 where that is requested")
                   .match(pattern::op<ops::v3::ShapeOf>())
                   .replace(of_op<ops::v3::ShapeOf>(
                       [](const Node& node, const ops::v3::ShapeOf& op, Rewriter& rw) -> Replacement {
                         const Value shape = rw.create(ops::v0::ShapeOf{}, node.input(0));
                         return op.output_type == ElementType::i64
                                    ? shape
                                    : rw.create(ops::Convert{.destination_type = op.output_type}, shape);
                       })));
}

}  // namespace mo::transformations
