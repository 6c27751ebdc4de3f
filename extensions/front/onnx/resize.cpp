#include <algorithm>
#include <cmath>

#include "core/tensor/convert.hpp"
#include "extensions/support/front_shapes.hpp"
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
  const auto factors = known_reals(scales);
  // Resize-11 spells "not given" as an empty tensor.
  if (sizes && (!scales || !factors || factors->empty())) return Target{as_i64(rw, sizes), true, axes};
  if (!scales) return node.error("MO-ONNX-0223", "neither scales nor sizes are given").hint("Resize needs one of them as an input");
  if (factors) return of_factors(node, rw, *factors, axes, factor_one_is_nothing(coordinates));
  return Target{scales, false, axes};
}

/// Whether the known factors give whole lengths: whatever the lengths are, because of those that are known, or perhaps.
enum class WholeLengths { yes, no, perhaps };
WholeLengths gives_whole_lengths(const Value& x, const Target& target) {
  const auto factors = known_reals(target.numbers);
  const PartialShape shape = known_type(x).shape;
  if (!factors) return WholeLengths::perhaps;
  WholeLengths answer = WholeLengths::yes;
  for (std::size_t i = 0; i < factors->size(); ++i) {
    if ((*factors)[i] == std::trunc((*factors)[i])) continue;
    const auto axis = shape.has_rank() ? normalize_axis(target.axes ? (*target.axes)[i] : static_cast<std::int64_t>(i), *shape.rank()) : std::nullopt;
    if (!axis || !shape[static_cast<std::size_t>(*axis)].is_known()) {
      answer = WholeLengths::perhaps;
      continue;
    }
    const double length = (*factors)[i] * static_cast<double>(shape[static_cast<std::size_t>(*axis)].value());
    if (std::abs(length - std::round(length)) > 1e-4) return WholeLengths::no;
  }
  return answer;
}

/// ONNX computes align_corners and half_pixel_symmetric with the length before it is rounded down, the IR with the length itself.
/// Error MO-ONNX-0228 where that makes a difference, warning MO-ONNX-0237 where it may. Of align_corners, pass ResizeRounding judges what
/// only shapes can tell.
std::optional<Diagnostic> check_rounding(const Node& node, const Target& target, const std::string& coordinates, PassContext& context) {
  if (target.are_sizes || (coordinates != "align_corners" && coordinates != "half_pixel_symmetric")) return std::nullopt;
  const WholeLengths whole = gives_whole_lengths(node.input(0), target);
  if (whole == WholeLengths::no)
    return node.error("MO-ONNX-0228", "{} with factors that give a fraction of an element cannot be expressed", coordinates)
        .hint("export the model with sizes instead of scales");
  if (whole == WholeLengths::perhaps && coordinates == "half_pixel_symmetric")
    context.diagnostics.report(node.warning("MO-ONNX-0237", "{} is exact only where the factors give whole lengths", coordinates)
                                   .hint("export the model with sizes instead of scales"));
  return std::nullopt;
}

Replacement replace_resize(const Node& node, Rewriter& rw, PassContext& context) {
  const Value x = node.input(0);
  if (!x) return missing_input(node);
  const std::string mode = node.attr<std::string>("mode").value_or("nearest");
  std::string coordinates = node.attr<std::string>("coordinates").value_or("asymmetric");
  auto target = target_of(node, rw, coordinates);
  if (!target) return std::move(target).error();
  if (!target->numbers) return x;  // every factor is 1
  if (auto bad = check_rounding(node, *target, coordinates, context)) return *std::move(bad);
  // ONNX Resize-19: shifts by what the rounding of a length loses, which is nothing here.
  if (coordinates == "half_pixel_symmetric") coordinates = "half_pixel";
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
