#include <algorithm>
#include <cmath>

#include "core/tensor/convert.hpp"
#include "extensions/support/front_values.hpp"
#include "ops/interpolate.hpp"

namespace mo::front::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

/// The lengths of the result, or the factors, for the axes that are listed (all when there is no list).
struct Target {
  Value numbers;
  bool are_sizes = false;
  std::optional<Integers> axes;
};

/// Whether an axis with factor 1 stays as it is, whatever its length. tf_half_pixel_for_nn samples at x + 0.5, which may round up.
bool factor_one_is_nothing(const std::string& coordinates) { return coordinates != "tf_half_pixel_for_nn"; }

/// Known factors: axes with factor 1 are left out, since runtimes resize few axes better than all.
Expected<Target> of_factors(const Node& node, Rewriter& rw, const Reals& factors, std::optional<Integers> axes, bool may_drop) {
  if (axes && axes->size() != factors.size())
    return node.error("MO-ONNX-0227", "there are {} factors for {} axes", factors.size(), axes->size()).hint("each resized axis has one factor");
  std::vector<float> kept;
  Integers places;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (!(factors[i] > 0) || !std::isfinite(factors[i])) return node.error("MO-ONNX-0227", "a factor is {}", factors[i]).hint("factors are above 0");
    if (may_drop && factors[i] == 1) continue;
    kept.push_back(static_cast<float>(factors[i]));
    places.push_back(axes ? (*axes)[i] : static_cast<std::int64_t>(i));
  }
  if (kept.empty()) return Target{};
  return Target{rw.constant(Tensor::vector(kept)), false, places};
}

/// Inputs: data and scales (opset 10 and Upsample-9), or data, regions, scales, sizes (opset 11 and later).
Expected<Target> target_of(const Node& node, Rewriter& rw, const std::string& coordinates) {
  const auto axes = node.attr<Integers>("axes");
  if (const auto factors = node.attr<Reals>("scales")) return of_factors(node, rw, *factors, axes, factor_one_is_nothing(coordinates));
  const bool regions = node.attr<bool>("regions").value_or(false);
  const Value scales = node.input(regions ? 2 : 1);
  const Value sizes = regions ? node.input(3) : Value();
  const auto factors = constant_reals(scales);
  // Resize-11 spells "not given" as an empty tensor.
  if (sizes && (!scales || !factors || factors->empty())) return Target{as_i64(rw, sizes), true, axes};
  if (!scales) return node.error("MO-ONNX-0223", "neither scales nor sizes are given").hint("Resize needs one of them as an input");
  if (factors) return of_factors(node, rw, *factors, axes, factor_one_is_nothing(coordinates));
  return Target{scales, false, axes};
}

Replacement replace_resize(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!x) return missing_input(node);
  const std::string mode = node.attr<std::string>("mode").value_or("nearest");
  std::string coordinates = node.attr<std::string>("coordinates").value_or("asymmetric");
  auto target = target_of(node, rw, coordinates);
  if (!target) return std::move(target).error();
  if (!target->numbers) return x;  // every factor is 1
  if (coordinates == "half_pixel_symmetric") {
    // ONNX Resize-19: shifts by what the rounding of the length loses, which is nothing when the lengths are given.
    if (!target->are_sizes) return node.error("MO-ONNX-0228", "half_pixel_symmetric with factors cannot be expressed").hint("export the model with sizes instead of scales");
    coordinates = "half_pixel";
  }
  const auto cubic = node.attr<double>("cubic_coeff").value_or(-0.75);
  Op op = ops::Interpolate{.cube_coeff = cubic};
  const std::pair<std::string_view, AttributeValue> attributes[] = {{"mode", mode == "linear" ? std::string("linear_onnx") : mode},
                                                                    {"shape_calculation_mode", target->are_sizes ? "sizes" : "scales"},
                                                                    {"coordinate_transformation_mode", coordinates},
                                                                    {"nearest_mode", node.attr<std::string>("nearest").value_or("simple")}};
  for (const auto& [name, value] : attributes)
    if (auto set = op.set_attribute(name, value); !set) return std::move(set).error();
  if (target->axes) return rw.create(std::move(op), x, target->numbers, rw.integers(*target->axes));
  return rw.create(std::move(op), x, target->numbers);
}

}  // namespace

void register_resize(PassRegistry& passes) { passes.add(front_replacement_op("OnnxResize").replace_op(replace_resize)); }

}  // namespace mo::front::onnx
