#include <cmath>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/build/axis_resampling.hpp"
#include "ops/interpolate.hpp"

namespace mo::transformations {
namespace {

bool is_whole(double v) { return std::abs(v - std::round(v)) <= 1e-4; }

/// The resized axes; nothing when they are not known.
std::optional<std::vector<std::int64_t>> axes_of(const Node& node) {
  if (node.input(2)) return integers_of(node.input(2));
  const auto rank = node.input_type(0).rank();
  if (!rank) return std::nullopt;
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = 0; axis < *rank; ++axis) axes.push_back(axis);
  return axes;
}

bool gives_whole_lengths(const Node& node, const std::vector<std::int64_t>& axes) {
  const PartialShape& shape = node.input_type(0).shape;
  const auto factors = reals_of(node.input(1));
  if (!factors || factors->size() != axes.size()) return false;
  for (std::size_t i = 0; i < factors->size(); ++i) {
    if (is_whole((*factors)[i])) continue;
    const auto place = shape.has_rank() ? normalize_axis(axes[i], *shape.rank()) : std::nullopt;
    if (!place || !shape[static_cast<std::size_t>(*place)].is_known()) return false;
    if (!is_whole((*factors)[i] * static_cast<double>(shape[static_cast<std::size_t>(*place)].value()))) return false;
  }
  return true;
}

/// ONNX Resize: with align_corners, coordinates come from the length before it is rounded down; the IR has the rounded
/// one. Both are the same where length * factor is whole, which only now, with shapes, can be told. Elsewhere plain
/// arithmetic takes the place of Interpolate.
Expected<bool> replace_when_rounded(Rewriter& rw, const Node& node, const ops::v11::Interpolate& op) {
  using Coordinates = ops::InterpolateCoordinateMode;
  if (op.shape_calculation_mode != ops::InterpolateShapeMode::scales ||
      op.coordinate_transformation_mode != Coordinates::align_corners)
    return false;
  const auto axes = axes_of(node);
  if (!axes)
    return node.error("MO-ONNX-0420", "the axes of a resize with align_corners are unknown")
        .hint("give the input's rank with --input_shape, for example [?,?,?,?]");
  if (gives_whole_lengths(node, *axes)) return false;
  const std::string mode = node.attr<std::string>("mode").value_or("");
  const build::Resampling how{.mode = mode == "linear_onnx" ? "linear" : mode,
                              .coordinates = "align_corners",
                              .nearest = node.attr<std::string>("nearest_mode").value_or(""),
                              .cubic_coeff = op.cube_coeff};
  const Value x = node.input(0);
  const Value factors = build::as_type(rw, node.input(1), ElementType::f32);
  std::vector<build::ResampledAxis> resized;
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    resized.push_back(
        build::axis_with_factor(rw, x, (*axes)[i], build::slice_along(rw, factors, 0, number, number + 1)));
    const PartialShape& shape = node.output_type().shape;
    const auto place = shape.has_rank() ? normalize_axis((*axes)[i], *shape.rank()) : std::nullopt;
    if (place && shape[static_cast<std::size_t>(*place)].is_known())
      resized.back().length = rw.integers({shape[static_cast<std::size_t>(*place)].value()});
  }
  rw.replace(node, {build::resampled(rw, x, how, resized)});
  if (rw.error()) return *rw.error();
  return true;
}

}  // namespace

void register_resize_rounding(PassRegistry& passes) {
  passes.add(graph_pass("ResizeRounding").run([](Graph& graph, PassContext&) -> Expected<bool> {
    Rewriter rw(graph);
    bool changed = false;
    for (auto [node, interpolate] : graph.each<ops::v11::Interpolate>()) {
      // Another framework means what the IR says. A graph in text form, where nodes are of no framework, is taken for
      // one of ONNX.
      if (!node.origin().empty() && node.origin().framework != "ONNX") continue;
      MO_ASSIGN(const bool replaced, replace_when_rounded(rw, node, interpolate));
      changed |= replaced;
    }
    return changed;
  }));
}

}  // namespace mo::transformations
