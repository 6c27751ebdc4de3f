#include "frontends/caffe/ops/support/blobs.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/split.hpp"

namespace mo::caffe {
namespace {

/// `axis`, or the older name, which cannot be negative.
std::int64_t axis_of(const Layer& layer, std::string_view path, std::string_view older) {
  return layer.integer(path, layer.integer(older, 1));
}

Expected<Op> concat(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms_from(layer, 1));
  MO_TRY(expect_tops(layer, 1));
  return ops::Concat{.axis = axis_of(layer, "concat_param.axis", "concat_param.concat_dim")};
}

/// VariadicSplit at the points, or Split into equal parts without points.
Replacement slice(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1, kAnyNumber));
  const Integers points = layer.integers("slice_param.slice_point");
  if (!points.empty() && points.size() + 1 != node.output_count())
    return layer
        .error("MO-CAFFE-0103", "slice_param has {} slice points for {} tops", points.size(), node.output_count())
        .hint("give one point less than there are tops");
  Integers lengths;
  std::int64_t last = 0;
  for (const std::int64_t point : points) {
    MO_TRY(expect_size(layer, "slice_param.slice_point", point, 1));
    if (point <= last)
      return layer.error("MO-CAFFE-0103", "slice point {} does not follow {}", point, last)
          .hint("slice points must increase");
    lengths.push_back(point - std::exchange(last, point));
  }
  lengths.push_back(-1);
  const std::int64_t along = axis_of(layer, "slice_param.axis", "slice_param.slice_dim");
  const Value x = layer.bottom(0);
  const std::size_t tops = node.output_count();
  if (tops == 1) return rw.create(ops::Identity{}, x);
  const Value axis = rw.scalar(along);
  const Node made = points.empty()
                        ? rw.create_node(ops::Split{.num_splits = static_cast<std::int64_t>(tops)}, {x, axis}, tops)
                        : rw.create_node(ops::VariadicSplit{}, {x, axis, rw.integers(lengths)}, tops);
  Outputs outputs;
  for (const OutPort& port : made.out_ports()) outputs.push_back(port);
  return outputs;
}

/// Copies of a blob for several readers.
Replacement split(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1));
  MO_TRY(expect_tops(layer, 1, kAnyNumber));
  return Outputs(node.output_count(), rw.create(ops::Identity{}, layer.bottom(0)));
}

}  // namespace

void register_slice_concat(OperatorTable& table) {
  table.extract("Concat", concat);
  table.translate("Slice", slice);
  table.translate("Split", split);
}

}  // namespace mo::caffe
