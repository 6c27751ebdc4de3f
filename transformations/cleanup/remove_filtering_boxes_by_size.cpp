#include <algorithm>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/logical.hpp"
#include "ops/non_zero.hpp"
#include "ops/range.hpp"
#include "ops/shape_of.hpp"
#include "ops/split.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// One column of four, cut along axis 1: a corner of a box, or its width or height.
bool is_column(const Value& value) {
  const Node split = value.node();
  const auto axis = single_integer_of(split.input(1));
  if (!axis || (*axis != 1 && *axis != -1) || split.out_port_count() != 4) return false;
  if (split.is<ops::Split>()) return true;
  const auto lengths = constant_integers_of(split.input(2));
  return lengths && std::all_of(lengths->begin(), lengths->end(), [](std::int64_t length) { return length == 1; });
}

Pat column(const Pat& boxes, int place) {
  return any_of(op<ops::Split>(boxes, any()).output(place), op<ops::VariadicSplit>(boxes, any(), any()).output(place))
      .where(is_column, "one column of four");
}

/// x or Convert(x) or Convert(Convert(x)).
Pat converted(const Pat& x) { return any_of(op<ops::Convert>(op<ops::Convert>(x)), op<ops::Convert>(x), x); }

/// last - first + 1
Pat length(const Pat& boxes, int first, int last) {
  return op<ops::Add>(op<ops::Subtract>(column(boxes, last), column(boxes, first)), any());
}

/// not (length < limit)
Pat large_enough(const Pat& sizes, int place) {
  const Pat flat = op<ops::Squeeze>(column(sizes, place), any());
  return converted(op<ops::LogicalNot>(op<ops::Less>(flat, any())));
}

}  // namespace

void register_remove_filtering_boxes_by_size(PassRegistry& passes) {
  const Pat boxes = any();
  const Pat sizes = op<ops::Concat>(column(boxes, 0), column(boxes, 1), length(boxes, 0, 2), length(boxes, 1, 3));
  const Pat kept = op<ops::LogicalAnd>(large_enough(sizes, 2), large_enough(sizes, 3));
  const Pat places = op<ops::Squeeze>(op<ops::Transpose>(op<ops::NonZero>(converted(kept)), constant()), any());
  passes.offer(rewrite("RemoveFilteringBoxesBySize")
                   .described("Convert(Squeeze(Transpose(NonZero(not (width < a) and not (height < b)))))",
                              "Range(0, number of boxes, 1)",
                              "the steps of Mask R-CNN of ONNX that drop small boxes: width = x2 - x1 + 1 of [n, 4]. "
                              "All boxes stay: results change where one was small")
                   .match(op<ops::Convert>(places))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     if (m.root().type().element_type != ElementType::i64) return declined("the places are not i64");
                     if (m[boxes].type().rank() != 2) return declined("the boxes are not a matrix");
                     const Value count = rw.create(ops::v1::Gather{}, rw.create(ops::v3::ShapeOf{}, m[boxes]),
                                                   rw.scalar<std::int64_t>(0), rw.scalar<std::int64_t>(0));
                     return rw.create(ops::v4::Range{.output_type = ElementType::i64}, rw.scalar<std::int64_t>(0),
                                      count, rw.scalar<std::int64_t>(1));
                   }));
}

}  // namespace mo::transformations
