#include <algorithm>

#include "core/graph/values.hpp"
#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/pad.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::back {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Four or five dimensions, all but the first of size 1.
bool is_one_pixel(const PartialShape& shape) {
  constexpr std::size_t kImage = 4;
  constexpr std::size_t kVolume = 5;
  if (!shape.has_rank() || (shape.size() != kImage && shape.size() != kVolume)) return false;
  return std::all_of(shape.begin() + 1, shape.end(), [](const Dimension& size) { return size == Dimension(1); });
}

/// Pad(x) -> Pad(Unsqueeze(Pad(Squeeze(x)))): the inner one pads the batch and at most two other dimensions, the outer one, if needed, the rest. Then not
/// all of them are of size 1.
Replacement of_fewer_dimensions(const Node& node, Rewriter& rw) {
  if (!is_one_pixel(node.input_type(0).shape)) return declined("not of four or five dimensions, or another one than the first is not of size 1");
  const auto begins = integers_of(node.input(1));
  const auto ends = integers_of(node.input(2));
  if (!begins || !ends) return declined("the pads are computed");
  Numbers dropped;
  Numbers inner[2] = {{begins->front()}, {ends->front()}};
  Numbers outer[2] = {*begins, *ends};
  outer[0][0] = outer[1][0] = 0;
  for (std::size_t axis = 1; axis < begins->size(); ++axis) {
    if (inner[0].size() > 2 || ((*begins)[axis] == 0 && (*ends)[axis] == 0)) {
      dropped.push_back(static_cast<std::int64_t>(axis));
      continue;
    }
    inner[0].push_back(std::exchange(outer[0][axis], 0));
    inner[1].push_back(std::exchange(outer[1][axis], 0));
  }
  if (inner[0].size() == 1) return declined("only the first dimension is padded");
  const auto padded = [&](const Value& data, const Numbers(&pads)[2]) {
    std::vector<Value> inputs = {data, rw.integers(pads[0]), rw.integers(pads[1])};
    if (node.in_port_count() > 3 && node.input(3)) inputs.push_back(node.input(3));
    return rw.create(*node.as<ops::v1::Pad>(), inputs);
  };
  const Value axes = rw.integers(dropped);
  const Value made = rw.create(ops::Unsqueeze{}, padded(rw.create(ops::Squeeze{}, node.input(0), axes), inner), axes);
  const auto is_zero = [](const Numbers& pads) { return std::all_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad == 0; }); };
  return is_zero(outer[0]) && is_zero(outer[1]) ? made : padded(made, outer);
}

}  // namespace

void register_pad_of_one_pixel(PassRegistry& passes) {
  passes.add(avoid_fault("PadOfOnePixel", {.form = "Pad of four or five dimensions, all but the first of size 1",
                                           .symptom = "dimensions are taken for other ones: elements are wrong or have no value",
                                           .first = "2021.4",
                                           .last = "2021.4",
                                           .replacement = "Squeeze, Pad, Unsqueeze, and another Pad for further dimensions"})
                 .add(lowering<ops::v1::Pad>("OfFewerDimensions", of_fewer_dimensions)));
}

}  // namespace mo::back
