#include <algorithm>

#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/convolution.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::back {
namespace {

/// The constant has a number for each pixel, row or column, at least.
bool differs_in_space(const Value& constant, std::size_t spatial) {
  const PartialShape& shape = constant.type().shape;
  if (!constant.data().value() || !shape.has_rank()) return false;
  const std::size_t count = std::min(spatial, shape.size());
  return std::any_of(shape.end() - static_cast<std::ptrdiff_t>(count), shape.end(), [](const Dimension& size) { return size != Dimension(1); });
}

/// op(x, constant) -> squeeze(op(unsqueeze(x), constant)).
template <class T>
Value with_dimension_in_front(const Node& node, std::size_t spatial, Rewriter& rw) {
  const Value first = rw.integers({0});
  for (const std::size_t i : {1U, 0U}) {
    if (!differs_in_space(node.input(i), spatial) || node.input(1 - i).data().value()) continue;
    const Value wide = rw.create(ops::Unsqueeze{}, node.input(1 - i), first);
    const Value scaled = i == 1 ? rw.create(*node.as<T>(), wide, node.input(1)) : rw.create(*node.as<T>(), node.input(0), wide);
    return rw.create(ops::Squeeze{}, scaled, first);
  }
  return {};
}

/// A runtime that finds a Multiply in front of a Convolution multiplies the filters instead, whose shape need not fit.
Replacement scaled_apart(const Node& node, Rewriter& rw) {
  const PartialShape& filters = node.input_type(1).shape;
  if (!filters.has_rank() || filters.size() < 3 || !filters[0].compatible(1)) return declined("several channels are made");
  const std::size_t spatial = filters.size() - 2;
  const Node scale = node.input(0).node();
  Value data;
  if (scale.is<ops::Multiply>()) data = with_dimension_in_front<ops::Multiply>(scale, spatial, rw);
  if (scale.is<ops::Divide>()) data = with_dimension_in_front<ops::Divide>(scale, spatial, rw);
  if (!data) return declined("no product with a constant that differs from pixel to pixel");
  return rw.create(*node.as<ops::Convolution>(), data, node.input(1));
}

}  // namespace

void register_scaled_pixels_to_one_channel(PassRegistry& passes) {
  passes.add(avoid_fault("ScaledPixelsToOneChannel",
                         {.form = "Convolution to one channel, of a Multiply or Divide with a constant that differs from pixel to pixel",
                          .symptom = "not compiled: the constant becomes a factor of the filters",
                          .first = "2022.1",
                          .last = "2023.3",
                          .replacement = "Unsqueeze, the product, Squeeze, Convolution"})
                 .add(lowering<ops::Convolution>("ScaledApart", scaled_apart)));
}

}  // namespace mo::back
