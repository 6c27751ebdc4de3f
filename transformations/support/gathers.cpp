#include "transformations/support/gathers.hpp"

#include "core/graph/values.hpp"
#include "ops/gather.hpp"

namespace mo::transformations {

Pat any_gather() { return pattern::any_op<ops::v1::Gather, ops::v7::Gather, ops::v8::Gather>(); }

bool is_gather(const Node& node) {
  return node.is<ops::v1::Gather>() || node.is<ops::v7::Gather>() || node.is<ops::v8::Gather>();
}

std::int64_t batch_dims_of(const Node& gather) {
  if (const auto* op = gather.as<ops::v7::Gather>()) return op->batch_dims;
  if (const auto* op = gather.as<ops::v8::Gather>()) return op->batch_dims;
  return 0;
}

std::optional<std::int64_t> gather_axis(const Node& gather) {
  const auto axis = single_integer_of(gather.input(2));
  if (!axis || batch_dims_of(gather) != 0) return std::nullopt;
  const auto rank = gather.input_type(0).rank();
  return rank ? normalize_axis(*axis, *rank) : *axis >= 0 ? axis : std::nullopt;
}

bool takes_all(const Value& indices, std::int64_t count) {
  const auto numbers = constant_integers_of(indices);
  if (!numbers || static_cast<std::int64_t>(numbers->size()) != count) return false;
  for (std::int64_t i = 0; i < count; ++i)
    if ((*numbers)[static_cast<std::size_t>(i)] != i) return false;
  return true;
}

}  // namespace mo::transformations
