#include "frontends/caffe/ops/support/layer_ports.hpp"
#include "ops/concat.hpp"

namespace mo::caffe {
namespace {

/// `axis`, or the older name, which cannot be negative.
std::int64_t axis_of(const Layer& layer, std::string_view path, std::string_view older) { return layer.integer(path, layer.integer(older, 1)); }

Expected<Op> concat(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms_from(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  return ops::Concat{.axis = axis_of(layer, "concat_param.axis", "concat_param.concat_dim")};
}

/// Cut at the points, or into equal parts without points.
Expected<Op> slice(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1, kAnyNumber));
  const std::vector<std::int64_t> points = layer.integers("slice_param.slice_point");
  if (!points.empty() && points.size() + 1 != node.output_count())
    return layer.error("MO-CAFFE-0103", "slice_param has {} slice points for {} tops", points.size(), node.output_count())
        .hint("give one point less than there are tops");
  std::int64_t last = 0;
  for (const std::int64_t point : points) {
    MO_TRY(expect_size(layer, "slice_param.slice_point", point, 1));
    if (point <= last) return layer.error("MO-CAFFE-0103", "slice point {} does not follow {}", point, last).hint("slice points must increase");
    last = point;
  }
  return layer_op(layer, "CaffeSlice", {{"axis", axis_of(layer, "slice_param.axis", "slice_param.slice_dim")}, {"points", points}});
}

/// Copies of a blob for several readers.
Expected<Op> split(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1, kAnyNumber));
  return layer_op(layer, "CaffeSplit");
}

}  // namespace

void register_slice_concat(OperatorTable& table) {
  table.extract("Concat", concat);
  table.extract("Slice", slice);
  table.extract("Split", split);
}

}  // namespace mo::caffe
