#include <numeric>

#include "frontends/caffe/ops/support/proposal.hpp"
#include "frontends/caffe/ops/support/translate.hpp"
#include "ops/psroi_pooling.hpp"
#include "ops/region_yolo.hpp"
#include "ops/reorg_yolo.hpp"
#include "ops/reshape.hpp"
#include "ops/roi_pooling.hpp"

namespace mo::caffe {
namespace {

/// Caffe takes regions of any shape with five numbers for each, as [R, 5, 1, 1].
Value as_regions(Rewriter& rw, const Value& regions) {
  if (type_of(regions).rank() == 2) return regions;
  return rw.create(ops::Reshape{}, regions, rw.integers({-1, 5}));
}

Replacement roi_pooling(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 2, 2));
  ops::ROIPooling op;
  MO_ASSIGN(op.pooled_h, integer_in(layer, "roi_pooling_param.pooled_h", 0, 1, kLargestSize));
  MO_ASSIGN(op.pooled_w, integer_in(layer, "roi_pooling_param.pooled_w", 0, 1, kLargestSize));
  MO_ASSIGN(op.spatial_scale, finite_real(layer, "roi_pooling_param.spatial_scale", 1));
  return rw.create(op, layer.bottom(0), as_regions(rw, layer.bottom(1)));
}

Replacement psroi_pooling(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 2, 2));
  ops::PSROIPooling op;
  MO_ASSIGN(op.output_dim, integer_in(layer, "psroi_pooling_param.output_dim", 0, 1, kLargestSize));
  MO_ASSIGN(op.group_size, integer_in(layer, "psroi_pooling_param.group_size", 0, 1, 4096));
  MO_ASSIGN(op.spatial_scale, finite_real(layer, "psroi_pooling_param.spatial_scale", 1));
  return rw.create(op, layer.bottom(0), as_regions(rw, layer.bottom(1)));
}

Replacement proposal(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 3, 3));
  const auto path = [](std::string_view name) { return fmt::format("proposal_param.{}", name); };
  ops::Proposal op;
  MO_ASSIGN(op.feat_stride, integer_in(layer, path("feat_stride"), 16, 1, kLargestSize));
  MO_ASSIGN(op.base_size, integer_in(layer, path("base_size"), 16, 1, kLargestSize));
  MO_ASSIGN(op.min_size, integer_in(layer, path("min_size"), 16, 0, kLargestSize));
  MO_ASSIGN(op.pre_nms_topn, integer_in(layer, path("pre_nms_topn"), 6000, 1, kLargestSize));
  MO_ASSIGN(op.post_nms_topn, integer_in(layer, path("post_nms_topn"), 300, 1, kLargestSize));
  MO_ASSIGN(op.ratio, positive_reals(layer, path("ratio")));
  MO_ASSIGN(op.scale, positive_reals(layer, path("scale")));
  for (const auto& [name, numbers] : {std::pair{"ratio", &op.ratio}, {"scale", &op.scale}})
    if (numbers->empty())
      return layer.error("MO-CAFFE-0240", "proposal_param has no {}", name)
          .hint("each ratio and each scale gives an anchor; check the prototxt");
  MO_ASSIGN(op.nms_thresh, finite_real(layer, path("nms_thresh"), 0.7));
  return proposed_regions(layer, rw, std::move(op));
}

/// The older form of Proposal: anchors of the ratios 1/2, 1 and 2.
Replacement simpler_nms(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 3, 3));
  const auto path = [](std::string_view name) { return fmt::format("simpler_nms_param.{}", name); };
  ops::Proposal op{.base_size = 16, .ratio = {0.5, 1, 2}};
  MO_ASSIGN(op.feat_stride, integer_in(layer, path("feat_stride"), 16, 1, kLargestSize));
  MO_ASSIGN(op.min_size, integer_in(layer, path("min_bbox_size"), 16, 1, kLargestSize));
  MO_ASSIGN(op.pre_nms_topn, integer_in(layer, path("pre_nms_topn"), 6000, 1, kLargestSize));
  MO_ASSIGN(op.post_nms_topn, integer_in(layer, path("post_nms_topn"), 150, 1, kLargestSize));
  MO_ASSIGN(op.scale, positive_reals(layer, path("scale")));
  if (op.scale.empty()) op.scale = {8, 16, 32};
  MO_ASSIGN(op.nms_thresh, finite_real(layer, path("iou_threshold"), 0.7));
  return proposed_regions(layer, rw, std::move(op));
}

Expected<Op> region_yolo(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 1));
  constexpr std::int64_t kMostClasses = 1 << 20;
  ops::RegionYolo op;
  MO_ASSIGN(op.coords, integer_in(layer, "region_yolo_param.coords", 4, 2, kMostClasses));
  MO_ASSIGN(op.classes, integer_in(layer, "region_yolo_param.classes", 20, 0, kMostClasses));
  MO_ASSIGN(op.num, integer_in(layer, "region_yolo_param.num", 1, 1, kMostClasses));
  MO_ASSIGN(op.anchors, finite_reals(layer, "region_yolo_param.anchors"));
  op.do_softmax = layer.flag("region_yolo_param.do_softmax", true);
  op.mask = layer.integers("region_yolo_param.mask");
  for (const std::int64_t anchor : op.mask)
    if (anchor < 0 || anchor >= op.num)
      return layer.error("MO-CAFFE-0202", "region_yolo_param.mask names anchor {}", anchor)
          .hint("anchors are counted from 0 to num - 1");
  if (!op.do_softmax && op.mask.empty()) {  // every anchor has a region
    op.mask.resize(static_cast<std::size_t>(op.num));
    std::iota(op.mask.begin(), op.mask.end(), 0);
  }
  op.axis = layer.integer("flatten_param.axis", 1);
  op.end_axis = layer.integer("flatten_param.end_axis", -1);
  return op;
}

/// Blocks of stride x stride go into channels. The YOLO forks and the Model Optimizer's Caffe differ in the name of the
/// message.
Expected<Op> reorg(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 1));
  if (layer.flag("reorg_param.reverse", false))
    return layer.error("MO-CAFFE-0241", "reorg_param.reverse is true")
        .hint("the IR has no inverse of ReorgYolo; end the model before it");
  const std::string path = layer.has("reorg_param.stride") ? "reorg_param.stride" : "reorg_yolo_param.stride";
  MO_ASSIGN(const std::int64_t stride, integer_in(layer, path, 1, 1, 4096));
  return ops::ReorgYolo{.stride = {stride}};
}

}  // namespace

/// Layers of detectors that work on regions.
void register_regions(OperatorTable& table) {
  table.translate("ROIPooling", roi_pooling);
  table.translate("PSROIPooling", psroi_pooling);
  table.translate("Proposal", proposal);
  table.translate("SimplerNMS", simpler_nms);
  table.extract("RegionYolo", region_yolo);
  table.extract("ReorgYolo", reorg);
  table.extract("Reorg", reorg);
}

}  // namespace mo::caffe
