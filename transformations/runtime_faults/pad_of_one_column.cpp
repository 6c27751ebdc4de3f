#include <algorithm>
#include <utility>

#include "core/graph/values.hpp"
#include "ops/pad.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Four or five dimensions, the channels and the last one of size 1: channels-first and channels-last images look the
/// same then.
bool has_one_column(const PartialShape& shape) {
  constexpr std::size_t kImage = 4;
  constexpr std::size_t kVolume = 5;
  if (!shape.has_rank() || (shape.size() != kImage && shape.size() != kVolume)) return false;
  return shape[1] == Dimension(1) && shape[shape.size() - 1] == Dimension(1);
}

bool is_zero(const Numbers& pads) {
  return std::all_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad == 0; });
}

/// Pad(x) -> Pad(Unsqueeze(Pad(Squeeze(x)))): the inner one pads at most three dimensions, the outer one, if needed,
/// the rest. It reads a channels-first image that has more than one pixel.
Replacement of_fewer_dimensions(const Node& node, Rewriter& rw) {
  const PartialShape& shape = node.input_type(0).shape;
  if (!has_one_column(shape)) return declined("not of four or five dimensions with one channel and one column");
  const bool has_one_pixel =
      std::all_of(shape.begin() + 1, shape.end(), [](const Dimension& size) { return size == Dimension(1); });
  if (!has_one_pixel && node.input(0).node().is<ops::Unsqueeze>()) return declined("a view, which is channels-first");
  const auto begins = integers_of(node.input(1));
  const auto ends = integers_of(node.input(2));
  if (!begins || !ends) return declined("the pads are computed");
  std::size_t room = 3;  // dimensions of the inner Pad
  Numbers kept;
  Numbers dropped;
  const auto is_one = [&](std::size_t axis) { return axis > 0 && shape[axis] == Dimension(1); };
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (!is_one(axis)) --room;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const bool is_dropped = is_one(axis) && (room == 0 || ((*begins)[axis] == 0 && (*ends)[axis] == 0));
    if (is_one(axis) && !is_dropped) --room;
    (is_dropped ? dropped : kept).push_back(static_cast<std::int64_t>(axis));
  }
  Numbers inner[2];
  Numbers outer[2] = {*begins, *ends};
  for (const std::int64_t axis : kept)
    for (const std::size_t side : {0U, 1U})
      inner[side].push_back(std::exchange(outer[side][static_cast<std::size_t>(axis)], 0));
  if (is_zero(inner[0]) && is_zero(inner[1]) && is_zero(outer[0]) && is_zero(outer[1]))
    return declined("nothing is padded");
  const auto padded = [&](const Value& data, const Numbers(&pads)[2]) {
    if (is_zero(pads[0]) && is_zero(pads[1])) return data;
    std::vector<Value> inputs = {data, rw.integers(pads[0]), rw.integers(pads[1])};
    if (node.in_port_count() > 3 && node.input(3)) inputs.push_back(node.input(3));
    return rw.create(*node.as<ops::v1::Pad>(), inputs);
  };
  const Value axes = rw.integers(dropped);
  return padded(rw.create(ops::Unsqueeze{}, padded(rw.create(ops::Squeeze{}, node.input(0), axes), inner), axes),
                outer);
}

}  // namespace

void register_pad_of_one_column(PassRegistry& passes) {
  passes.add(
      avoid_fault("PadOfOneColumn",
                  {.form = "Pad of an image or a volume with one channel and one column",
                   .symptom = "channels-first and channels-last are confused: elements are wrong or have no value",
                   .first = "2021.4",
                   .last = "2021.4",
                   .replacement = "Squeeze, Pad, Unsqueeze, and another Pad for further dimensions"})
          .add(lowering<ops::v1::Pad>("OfFewerDimensions", of_fewer_dimensions)));
}

}  // namespace mo::transformations
