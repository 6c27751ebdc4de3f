#include "transformations/support/fusing.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "ops/reshape.hpp"

namespace mo::transformations {

bool may_fuse(const Node& node, const PassContext& context) {
  if (context.settings.disable_fusing) return false;
  if (context.settings.finegrain_fusing.empty()) return true;
  // A node of the framework that became several has its name at the last one; all of them know where they are from.
  std::vector<std::string_view> names = node.sources();
  names.push_back(node.name());
  for (const std::string& expression : context.settings.finegrain_fusing) {
    const RE2 pattern(expression, RE2::Quiet);
    for (const std::string_view name : names)
      if (RE2::PartialMatch(re2::StringPiece(name.data(), name.size()), pattern)) return false;
  }
  return true;
}

Value as_channel_vector(Rewriter& rw, const Value& constant, const Value& tensor, std::size_t channel_axis) {
  const auto shape = constant.type().shape.to_shape();
  const PartialShape& target = tensor.type().shape;
  // A constant of a higher rank stretches the tensor: no scaling.
  if (!shape || !target.has_rank() || shape->size() > target.size() || channel_axis >= target.size()) return {};
  const auto count = element_count(*shape);
  if (!count || *count == 0) return {};
  if (*count == 1)
    return rw.fold(ops::Reshape{.special_zero = false}, constant,
                   rw.constant(Tensor::of<std::int64_t>({0}, std::span<const std::int64_t>())));
  // All elements must lie along the channels.
  const std::size_t shift = target.size() - shape->size();
  if (channel_axis < shift || (*shape)[channel_axis - shift] != *count) return {};
  if (target[channel_axis] != Dimension(*count)) return {};
  return rw.fold(ops::Reshape{.special_zero = false}, constant, rw.integers({-1}));
}

Value along_axis(Rewriter& rw, const Value& vector, std::size_t rank, std::size_t axis) {
  if (vector.type().shape.size() == 0) return vector;
  std::vector<std::int64_t> shape(rank, 1);
  shape[axis] = -1;
  return rw.fold(ops::Reshape{.special_zero = false}, vector, rw.integers(shape));
}

}  // namespace mo::transformations
