#include "transformations/support/convolutions.hpp"

#include <algorithm>

#include "core/rewrite.hpp"
#include "ops/mat_mul.hpp"
#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

std::optional<WeightAxes> weight_axes(const Node& node) {
  if (node.is<ops::Convolution>()) return WeightAxes{{}, 0, 1};
  if (node.is<ops::ConvolutionBackpropData>()) return WeightAxes{{}, 1, 0};
  if (node.is<ops::GroupConvolution>()) return WeightAxes{0, 1, 2};
  if (node.is<ops::GroupConvolutionBackpropData>()) return WeightAxes{0, 2, 1};
  return std::nullopt;
}

bool has_weights(const Node& node) { return weight_axes(node) || node.is<ops::MatMul>(); }

Value factor_on_weights(Rewriter& rw, const Value& constant, const Value& tensor, const Value& weights,
                        std::optional<std::size_t> group, std::size_t axis) {
  const Shape& shape = shape_of_constant(constant);
  const PartialShape& data = tensor.type().shape;
  const PartialShape& filters = weights.type().shape;
  if (!data.has_rank() || !filters.has_rank() || shape.size() > data.size() || data.size() < 2 ||
      axis >= filters.size())
    return {};
  std::vector<std::int64_t> aligned(filters.size(), 1);
  const auto count = element_count(shape).value_or(0);
  if (count == 1) return reshaped(rw, constant, aligned);
  // Aligned at the last dimension, dimension 1 of the data is at `channel`.
  const std::size_t behind = data.size() - 2;
  if (shape.size() < behind + 1 || shape[shape.size() - 1 - behind] != count || data[1] != Dimension(count)) return {};
  if (!filters[axis].is_known() || (group && !filters[*group].is_known())) return {};
  aligned[axis] = filters[axis].value();
  if (group) aligned[*group] = filters[*group].value();
  if (element_count(aligned) != count) return {};
  return reshaped(rw, constant, aligned);
}

}  // namespace mo::transformations
