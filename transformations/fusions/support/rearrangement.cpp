#include "transformations/fusions/support/rearrangement.hpp"

#include "ops/reshape.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// All dimensions, with -1 for an unknown batch; nothing when another one is unknown or empty.
std::optional<std::vector<std::int64_t>> dimensions(const PartialShape& shape) {
  if (!shape.has_rank() || shape.size() == 0) return std::nullopt;
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!shape[i].is_known() && i != 0) return std::nullopt;
    if (shape[i] == Dimension(0)) return std::nullopt;
    dims.push_back(shape[i].is_known() ? shape[i].value() : -1);
  }
  return dims;
}

/// The batch that a Reshape of `in`, whose batch is unknown, to `parts` tells: it keeps the number of elements. -1 when
/// it tells none.
std::int64_t told_batch(const std::vector<std::int64_t>& in, const std::vector<std::int64_t>& parts) {
  const auto elements = element_count(parts.front() < 0 ? std::vector<std::int64_t>{} : parts);
  const auto of_one = element_count(Shape(in.begin() + 1, in.end()));
  if (parts.front() < 0 || !elements || !of_one || *elements % *of_one != 0) return -1;
  return static_cast<std::int64_t>(*elements / *of_one);
}

}  // namespace

std::optional<Rearrangement> rearrangement_before(const Node& reshape) {
  const Value moved = reshape.input(0);
  if (!moved || !moved.has_one_destination() || !moved.node().is<ops::Transpose>()) return std::nullopt;
  const Value split = moved.node().input(0);
  if (!split || !split.has_one_destination() || !split.node().is<ops::Reshape>()) return std::nullopt;
  const Value x = split.node().input(0);
  auto in = x ? dimensions(x.type().shape) : std::nullopt;
  const auto parts = dimensions(split.type().shape);
  const auto out = dimensions(reshape.output_type().shape);
  const auto order = parts ? known_order(moved.node(), parts->size()) : std::nullopt;
  if (!in || !parts || !out || !order || (*order)[0] != 0) return std::nullopt;
  if (in->front() < 0) in->front() = told_batch(*in, *parts);
  // With all other dimensions known, an unknown batch is the same everywhere if it is unknown everywhere.
  if (in->front() != parts->front() || in->front() != out->front()) return std::nullopt;
  return Rearrangement{x, *in, *parts, *order, *out};
}

}  // namespace mo::transformations
