#include "transformations/runtime_faults/support/split_parts.hpp"

#include <numeric>

#include "core/graph/values.hpp"
#include "ops/gather.hpp"

namespace mo::transformations {

std::optional<std::int64_t> split_axis(const Node& split) {
  const auto rank = split.input_type(0).rank();
  const auto axis = single_integer_of(split.input(1));
  return rank && axis ? normalize_axis(*axis, *rank) : std::nullopt;
}

Value gathered_part(Rewriter& rw, const Node& split, std::size_t index) {
  const auto axis = split_axis(split);
  if (!axis) return {};
  std::int64_t begin = 0;
  std::int64_t length = 0;
  for (std::size_t i = 0; i <= index; ++i) {
    const PartialShape& shape = split.output_type(i).shape;
    const Dimension size = shape.has_rank() ? shape[static_cast<std::size_t>(*axis)] : Dimension();
    if (!size.is_known()) return {};
    begin += length;
    length = size.value();
  }
  if (length > kMostKnownNumbers) return {};
  std::vector<std::int64_t> places(static_cast<std::size_t>(length));
  std::iota(places.begin(), places.end(), begin);
  return rw.create(ops::v1::Gather{}, split.input(0), rw.integers(places), rw.scalar(*axis));
}

}  // namespace mo::transformations
