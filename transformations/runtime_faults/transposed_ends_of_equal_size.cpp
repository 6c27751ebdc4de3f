#include <algorithm>
#include <numeric>

#include "core/graph/values.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/copied.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Neighbouring dimensions that stay neighbours, in their order.
using Run = std::vector<std::size_t>;

/// In the order of the result, without dimensions of size 1.
std::vector<Run> runs_of(const std::vector<std::int64_t>& order, const PartialShape& shape) {
  std::vector<Run> runs;
  std::vector<std::size_t> kept;  // dimensions of other sizes, in the order of the data
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != Dimension(1)) kept.push_back(i);
  const auto place_of = [&](std::size_t dimension) {
    return std::find(kept.begin(), kept.end(), dimension) - kept.begin();
  };
  for (const std::int64_t number : order) {
    const auto dimension = static_cast<std::size_t>(number);
    if (shape[dimension] == Dimension(1)) continue;
    if (!runs.empty() && place_of(runs.back().back()) + 1 == place_of(dimension))
      runs.back().push_back(dimension);
    else
      runs.push_back({dimension});
  }
  return runs;
}

/// The least and the most elements that a run has.
Dimension size_of(const Run& run, const PartialShape& shape) {
  Dimension size(1);
  for (const std::size_t dimension : run) size = size * shape[dimension];
  return size;
}

/// The runs in the order of the data, when the result ends with the last but one and the first of them.
std::optional<std::vector<Run>> swapped_ends(std::vector<Run> runs) {
  if (runs.size() < 3) return std::nullopt;
  const Run last = runs.back();
  const Run before = runs[runs.size() - 2];
  std::sort(runs.begin(), runs.end());
  if (last != runs.front() || before != runs[runs.size() - 2]) return std::nullopt;
  return runs;
}

/// Transpose -> the second run of dimensions before the first one, a copy, and the rest of the order.
Replacement in_two_steps(const Node& node, Rewriter& rw) {
  constexpr std::int64_t kLeast = 8;  // elements of the run that stays: those of a vector
  const TensorType& data = node.input_type(0);
  if (data.element_type == ElementType::boolean || bit_width(data.element_type) < 16) return declined("single bytes");
  const auto order = integers_of(node.input(1));
  if (!order || !data.shape.has_rank() || order->size() != data.shape.size())
    return declined("the order or the rank is unknown");
  const auto runs = swapped_ends(runs_of(*order, data.shape));
  if (!runs) return declined("the result does not end with the first dimension after the last but one");
  if (!size_of(runs->front(), data.shape).compatible(size_of(runs->back(), data.shape)))
    return declined("the first and the last dimension have other sizes");
  if (size_of((*runs)[runs->size() - 2], data.shape).max() < kLeast) return declined("few elements stay in place");
  std::vector<std::int64_t> first;
  for (const std::size_t dimension : (*runs)[1]) first.push_back(static_cast<std::int64_t>(dimension));
  for (std::size_t i = 0; i < order->size(); ++i)
    if (std::find(first.begin(), first.end(), static_cast<std::int64_t>(i)) == first.end())
      first.push_back(static_cast<std::int64_t>(i));
  std::vector<std::int64_t> second;
  for (const std::int64_t dimension : *order)
    second.push_back(std::find(first.begin(), first.end(), dimension) - first.begin());
  const Value moved = rw.create(ops::Transpose{}, node.input(0), rw.integers(first));
  return rw.create(ops::Transpose{}, copied(rw, moved), rw.integers(second));
}

}  // namespace

void register_transposed_ends_of_equal_size(PassRegistry& passes) {
  passes.add(
      avoid_fault("TransposedEndsOfEqualSize",
                  {.form = "Transpose whose result ends with the last but one and the first dimension, where the first "
                           "and the last one are equal, and the one that stays has 8 elements or more; neighbours that "
                           "stay together count as one, dimensions of 1 do not",
                   .symptom = "what was in memory",
                   .first = "2021.4",
                   .last = "2022.3",
                   .replacement = "Transpose, Maximum(x, x) as a copy, Transpose"})
          .add(lowering<ops::Transpose>("TransposeInTwoSteps", in_two_steps)));
}

}  // namespace mo::transformations
