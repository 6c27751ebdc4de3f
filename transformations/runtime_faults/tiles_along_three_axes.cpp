#include <algorithm>

#include "core/tensor/convert.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/tile.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Along more axes than these a Tile with computed repeats is wrong.
constexpr int kTiledAxes = 2;
/// Data of fewer dimensions is tiled rightly.
constexpr std::size_t kTiledRank = 4;

/// For each of the repeats whether it may be another number than 1; nothing when they are known, or their number is
/// not.
std::optional<std::vector<bool>> repeated_axes(const Value& repeats) {
  const PartialShape& shape = type_of(repeats).shape;
  if (integers_of(repeats) || !shape.has_rank() || shape.size() != 1 || !shape[0].is_known()) return std::nullopt;
  std::vector<bool> repeated(static_cast<std::size_t>(shape[0].value()), true);
  if (const PartialValue* known = repeats.data().partial_value(); known && known->elements.size() == repeated.size())
    for (std::size_t i = 0; i < repeated.size(); ++i) repeated[i] = known->elements[i] != Dimension(1);
  return repeated;
}

/// The repeats from `begin` to `end`, and 1 for all others.
Expected<Value> some_repeats(Rewriter& rw, const Value& repeats, std::size_t begin, std::size_t end,
                             std::size_t count) {
  std::vector<Value> parts;
  const auto add_ones = [&](std::size_t number) -> Expected<void> {
    if (number == 0) return {};
    const auto length = static_cast<std::int64_t>(number);
    MO_ASSIGN(Tensor ones, from_integers(repeats.type().element_type, {length}, std::vector<std::int64_t>(number, 1)));
    parts.push_back(rw.constant(std::move(ones)));
    return {};
  };
  std::vector<std::int64_t> places;
  for (std::size_t i = begin; i < end; ++i) places.push_back(static_cast<std::int64_t>(i));
  MO_TRY(add_ones(begin));
  parts.push_back(rw.create(ops::v1::Gather{}, repeats, rw.integers(places), rw.scalar<std::int64_t>(0)));
  MO_TRY(add_ones(count - end));
  return rw.create(ops::Concat{.axis = 0}, parts);
}

/// Tile(x, [a, b, c, d]) -> Tile(Tile(x, [1, 1, c, d]), [a, b, 1, 1])
Replacement tiles_of_few_axes(const Node& node, Rewriter& rw) {
  const auto repeated = repeated_axes(node.input(1));
  if (!repeated) return declined("the repeats are known, or their number is not");
  if (std::count(repeated->begin(), repeated->end(), true) <= kTiledAxes)
    return declined("at most two dimensions are repeated");
  const std::size_t count = repeated->size();
  const auto rank = static_cast<std::size_t>(node.input_type(0).rank().value_or(0));
  if (std::max(count, rank) < kTiledRank) return declined("fewer than four dimensions, or an unknown rank");
  Value result = node.input(0);
  for (std::size_t end = count; end > 0;) {
    std::size_t begin = end;
    int axes = 0;
    while (begin > 0 && axes + (*repeated)[begin - 1] <= kTiledAxes) axes += (*repeated)[--begin];
    if (axes > 0) {
      MO_ASSIGN(const Value repeats, some_repeats(rw, node.input(1), begin, end, count));
      result = rw.create(ops::Tile{}, result, repeats);
    }
    end = begin;
  }
  return result;
}

}  // namespace

void register_tiles_along_three_axes(PassRegistry& passes) {
  passes.add(avoid_fault("TilesAlongThreeAxes",
                         {.form = "Tile with computed repeats of four dimensions or more, along three of them or more",
                          .symptom = "uninitialised memory",
                          .first = "2022.1",
                          .last = "latest",
                          .replacement = "a Tile for every two dimensions"})
                 .add(lowering<ops::Tile>("TilesOfFewAxes", tiles_of_few_axes)));
}

}  // namespace mo::transformations
