#include "transformations/runtime_faults/support/computed_zero.hpp"

#include <algorithm>

#include "ops/build/tensors.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/strided_slice.hpp"

namespace mo::transformations {

Value computed_zero(Rewriter& rw) {
  std::vector<Node> parameters = rw.graph().parameters();
  std::erase_if(parameters,
                [](const Node& parameter) { return parameter.output_type().element_type == ElementType::string; });
  if (parameters.empty()) return {};
  const auto has_elements = [](const Node& parameter) {
    return parameter.output_type().shape.element_count().value_or(0) > 0;
  };
  auto chosen = std::find_if(parameters.begin(), parameters.end(), has_elements);
  const bool may_be_empty = chosen == parameters.end();
  if (may_be_empty) chosen = parameters.begin();
  Value elements = build::flattened(rw, chosen->output());
  if (may_be_empty) {
    const Value first = rw.create(ops::StridedSlice{.begin_mask = {0}, .end_mask = {0}}, elements, rw.integers({0}),
                                  rw.integers({1}), rw.integers({1}));
    const Value none = rw.constant(Tensor::vector(std::vector<std::int32_t>{0}));
    elements = rw.create(ops::Concat{.axis = 0}, build::as_type(rw, first, ElementType::i32), none);
  }
  const Value element = rw.create(ops::v1::Gather{}, elements, rw.scalar<std::int64_t>(0), rw.scalar<std::int64_t>(0));
  const Value number = build::as_type(rw, element, ElementType::i32);
  return build::as_type(rw, rw.create(ops::Less{}, number, number), ElementType::i64);
}

}  // namespace mo::transformations
