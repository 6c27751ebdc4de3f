#include "extensions/object_detection/roi_pyramid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "core/pass/framework_names.hpp"

namespace mo::object_detection {
namespace {

Error misfit(const Value& features, std::string_view what) {
  return features.node()
      .error("MO-CONFIG-0238", "{}", what)
      .hint(
          "is this the configuration for the model? The tensor it names needs one RoiAlign for each level of the "
          "pyramid");
}

/// The RoiAligns that `features` is computed from, back to the regions and the levels. Error MO-CONFIG-0238: something
/// else is computed of their results.
Expected<std::vector<Node>> aligns_between(const Value& regions, const Value& features,
                                           const std::vector<Value>& levels) {
  std::unordered_set<NodeId> seen = {regions.node().id()};
  for (const Value& level : levels) seen.insert(level.node().id());
  std::vector<Node> open = {features.node()};
  std::vector<Node> found;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (!seen.insert(node.id()).second) continue;
    const std::string_view op = framework_op_name(node);
    if (op == "Conv" || op == "Gemm" || op == "MatMul")
      return misfit(features, fmt::format("'{}' ({}) is not part of a choice of levels", node.name(), op));
    if (op == "RoiAlign") {
      found.push_back(node);
      continue;
    }
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i)) open.push_back(source.node());
  }
  return found;
}

/// Whether coordinates are taken as they are: the only way before opset 16, whose default moves them by half an
/// element.
bool takes_corners(const Node& align) {
  const bool may_be_moved = align.origin().version >= 16;
  return align.attr<std::string>("coordinate_transformation_mode")
             .value_or(may_be_moved ? "half_pixel" : "output_half_pixel") == "output_half_pixel";
}

/// Pixels of the image for each element of the level.
std::optional<std::int64_t> scale_of(const Node& align) {
  const double scale = 1 / align.attr<double>("spatial_scale").value_or(1.0);
  const double whole = std::round(scale);
  if (!(whole >= 1 && whole <= 1 << 16) || std::abs(scale - whole) > 1e-3 * whole) return std::nullopt;
  return static_cast<std::int64_t>(whole);
}

Expected<RoiPyramid> pyramid_between(const Value& regions, const Value& features, const std::vector<Value>& levels) {
  MO_ASSIGN(const std::vector<Node> aligns, aligns_between(regions, features, levels));
  RoiPyramid pyramid{regions, levels, features, {}};
  pyramid.op.pyramid_scales.clear();
  if (levels.empty() || aligns.size() != levels.size())
    return misfit(features, fmt::format("the pyramid has {} levels, and regions have {} RoiAligns", levels.size(),
                                        aligns.size()));
  for (const Value& level : levels) {
    const auto reader =
        std::find_if(aligns.begin(), aligns.end(), [&](const Node& align) { return align.input(0) == level; });
    if (reader == aligns.end())
      return misfit(features, fmt::format("no RoiAlign reads the level '{}'", level.node().name()));
    const std::int64_t size = reader->attr<std::int64_t>("output_height").value_or(1);
    const std::int64_t samples = reader->attr<std::int64_t>("sampling_ratio").value_or(0);
    const auto scale = scale_of(*reader);
    const bool mean = reader->attr<std::string>("mode").value_or("avg") == "avg";
    const bool corners = takes_corners(*reader);
    const bool first = pyramid.op.pyramid_scales.empty();
    if (!scale || !mean || reader->attr<std::int64_t>("output_width").value_or(1) != size ||
        (!first &&
         (size != pyramid.op.output_size || samples != pyramid.op.sampling_ratio || corners == pyramid.op.aligned)))
      return misfit(features,
                    fmt::format("'{}' pools its level in a way that one op does not support", reader->name()));
    if (!first && *scale != 2 * pyramid.op.pyramid_scales.back())
      return misfit(features,
                    fmt::format("the level '{}' is not half as fine as the one before it", level.node().name()));
    pyramid.op.output_size = size;
    pyramid.op.sampling_ratio = samples;
    pyramid.op.aligned = !corners;
    pyramid.op.pyramid_scales.push_back(*scale);
  }
  return pyramid;
}

}  // namespace

Expected<RoiPyramid> read_roi_pyramid(const Graph& graph, const std::string& regions, const std::string& features,
                                      const std::vector<std::string>& levels) {
  MO_ASSIGN(const Value from, named_output(graph, regions));
  MO_ASSIGN(const Value to, named_output(graph, features));
  std::vector<Value> maps;
  for (const std::string& name : levels) {
    MO_ASSIGN(Value map, named_output(graph, name));
    maps.push_back(map);
  }
  return pyramid_between(from, to, maps);
}

}  // namespace mo::object_detection
