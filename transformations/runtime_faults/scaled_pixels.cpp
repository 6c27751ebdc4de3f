#include <algorithm>

#include "ops/convolution.hpp"
#include "ops/reshape.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// The constant has a number for each pixel, row or column, at least.
bool differs_in_space(const Value& constant, std::size_t spatial) {
  const PartialShape& shape = constant.type().shape;
  if (!constant.data().value() || !shape.has_rank()) return false;
  const std::size_t count = std::min(spatial, shape.size());
  return std::any_of(shape.end() - static_cast<std::ptrdiff_t>(count), shape.end(),
                     [](const Dimension& size) { return size != Dimension(1); });
}

/// `x` with a trailing dimension of size 1; empty where its rank is unknown.
Value with_dimension_behind(const Value& x, Rewriter& rw) {
  const auto rank = x.type().rank();
  return rank ? rw.fold(ops::Unsqueeze{}, x, rw.integers({*rank})) : Value();
}

/// op(x, constant) -> reshape(op(unsqueeze(x), unsqueeze(constant))). A Squeeze would go before the product where all
/// sizes are unknown.
template <class T>
Value scaled_wide(const Node& node, std::size_t spatial, Rewriter& rw) {
  for (const std::size_t i : {1U, 0U}) {
    if (!differs_in_space(node.input(i), spatial) || node.input(1 - i).data().value()) continue;
    const Value a = with_dimension_behind(node.input(0), rw);
    const Value b = with_dimension_behind(node.input(1), rw);
    if (!a || !b) return {};
    const std::vector<std::int64_t> all_but_last(spatial + 2, 0);
    return rw.create(ops::Reshape{.special_zero = true}, rw.create(*node.as<T>(), a, b), rw.integers(all_but_last));
  }
  return {};
}

/// A runtime that finds a Multiply before a convolution multiplies the filters instead, whose shape need not fit.
template <class T>
Replacement scaled_apart(const Node& node, Rewriter& rw) {
  constexpr std::size_t kOthers = std::is_same_v<T, ops::GroupConvolution> ? 3 : 2;  // than spatial dimensions
  const PartialShape& filters = node.input_type(1).shape;
  if (!filters.has_rank() || filters.size() <= kOthers) return declined("the rank of the filters is unknown");
  const std::size_t spatial = filters.size() - kOthers;
  const Node scale = node.input(0).node();
  Value data;
  if (scale.is<ops::Multiply>()) data = scaled_wide<ops::Multiply>(scale, spatial, rw);
  if (scale.is<ops::Divide>()) data = scaled_wide<ops::Divide>(scale, spatial, rw);
  if (!data) return declined("no product with a constant that differs from pixel to pixel");
  return rw.create(*node.as<T>(), data, node.input(1));
}

}  // namespace

void register_scaled_pixels(PassRegistry& passes) {
  passes.add(avoid_fault("ScaledPixels", {.form = "Convolution or GroupConvolution of a Multiply or Divide with a "
                                                  "constant that differs from pixel to pixel",
                                          .symptom = "not compiled: the constant becomes a factor of the filters",
                                          .first = "2022.1",
                                          .last = "2023.3",
                                          .replacement = "Unsqueeze, the product, Reshape, the convolution"})
                 .add(lowering<ops::Convolution>("ScaledApart", scaled_apart<ops::Convolution>))
                 .add(lowering<ops::GroupConvolution>("ScaledApartInGroups", scaled_apart<ops::GroupConvolution>)));
}

}  // namespace mo::transformations
