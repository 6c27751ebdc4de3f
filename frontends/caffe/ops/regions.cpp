#include "frontends/caffe/ops/support/layer_checks.hpp"

#include <numeric>

#include "ops/region_yolo.hpp"
#include "ops/reorg_yolo.hpp"

namespace mo::caffe {
namespace {

Expected<Op> extract_roi_pooling(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 2, 2));
  MO_ASSIGN(const std::int64_t height, integer_in(layer, "roi_pooling_param.pooled_h", 0, 1, kLargestSize));
  MO_ASSIGN(const std::int64_t width, integer_in(layer, "roi_pooling_param.pooled_w", 0, 1, kLargestSize));
  MO_ASSIGN(const double scale, finite_real(layer, "roi_pooling_param.spatial_scale", 1));
  return front_op("CaffeROIPooling", {{"pooled_h", height}, {"pooled_w", width}, {"spatial_scale", scale}});
}

Expected<Op> extract_psroi_pooling(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 2, 2));
  MO_ASSIGN(const std::int64_t channels, integer_in(layer, "psroi_pooling_param.output_dim", 0, 1, kLargestSize));
  MO_ASSIGN(const std::int64_t bins, integer_in(layer, "psroi_pooling_param.group_size", 0, 1, 4096));
  MO_ASSIGN(const double scale, finite_real(layer, "psroi_pooling_param.spatial_scale", 1));
  return front_op("CaffePSROIPooling", {{"output_dim", channels}, {"group_size", bins}, {"spatial_scale", scale}});
}

/// Bottoms: scores, box deltas, and the image's height, width and scale. Tops: regions, and perhaps their scores.
Expected<Op> extract_proposal(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 3, 3));
  AttributeMap attributes;
  const std::tuple<const char*, std::int64_t, std::int64_t> sizes[] = {
      {"feat_stride", 16, 1}, {"base_size", 16, 1}, {"min_size", 16, 0}, {"pre_nms_topn", 6000, 1}, {"post_nms_topn", 300, 1}};
  for (const auto& [name, fallback, least] : sizes) {
    MO_ASSIGN(const std::int64_t size, integer_in(layer, std::string("proposal_param.") + name, fallback, least, kLargestSize));
    attributes.set(name, size);
  }
  for (const std::string name : {"ratio", "scale"}) {
    MO_ASSIGN(const std::vector<double> numbers, positive_reals(layer, "proposal_param." + name));
    if (numbers.empty())
      return layer.error("MO-CAFFE-0240", "proposal_param has no {}", name).hint("each ratio and each scale gives an anchor; check the prototxt");
    attributes.set(name, numbers);
  }
  MO_ASSIGN(const double overlap, finite_real(layer, "proposal_param.nms_thresh", 0.7));
  attributes.set("nms_thresh", overlap);
  return front_op("CaffeProposal", std::move(attributes));
}

/// The older form of Proposal: anchors of the ratios 1/2, 1 and 2.
Expected<Op> extract_simpler_nms(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 3, 3));
  AttributeMap attributes{{"base_size", 16}, {"ratio", std::vector<double>{0.5, 1, 2}}};
  const std::tuple<const char*, const char*, std::int64_t> sizes[] = {{"feat_stride", "feat_stride", 16},
                                                                      {"min_bbox_size", "min_size", 16},
                                                                      {"pre_nms_topn", "pre_nms_topn", 6000},
                                                                      {"post_nms_topn", "post_nms_topn", 150}};
  for (const auto& [field, name, fallback] : sizes) {
    MO_ASSIGN(const std::int64_t size, integer_in(layer, std::string("simpler_nms_param.") + field, fallback, 1, kLargestSize));
    attributes.set(name, size);
  }
  MO_ASSIGN(const std::vector<double> scales, positive_reals(layer, "simpler_nms_param.scale"));
  attributes.set("scale", scales.empty() ? std::vector<double>{8, 16, 32} : scales);
  MO_ASSIGN(const double overlap, finite_real(layer, "simpler_nms_param.iou_threshold", 0.7));
  attributes.set("nms_thresh", overlap);
  return front_op("CaffeProposal", std::move(attributes));
}

Expected<Op> extract_region_yolo(const FrameworkNode& node) {
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
      return layer.error("MO-CAFFE-0202", "region_yolo_param.mask names anchor {}", anchor).hint("anchors are counted from 0 to num - 1");
  if (!op.do_softmax && op.mask.empty()) {  // every anchor has a region
    op.mask.resize(static_cast<std::size_t>(op.num));
    std::iota(op.mask.begin(), op.mask.end(), 0);
  }
  op.axis = layer.integer("flatten_param.axis", 1);
  op.end_axis = layer.integer("flatten_param.end_axis", -1);
  return op;
}

/// Blocks of stride x stride go into channels. The YOLO forks and the Model Optimizer's Caffe differ in the name of the message.
Expected<Op> extract_reorg(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 1));
  if (layer.flag("reorg_param.reverse", false))
    return layer.error("MO-CAFFE-0241", "reorg_param.reverse is true").hint("the IR has no inverse of ReorgYolo; end the model in front of it");
  const std::string path = layer.has("reorg_param.stride") ? "reorg_param.stride" : "reorg_yolo_param.stride";
  MO_ASSIGN(const std::int64_t stride, integer_in(layer, path, 1, 1, 4096));
  return ops::ReorgYolo{.stride = {stride}};
}

}  // namespace

/// Layers of detectors that work on regions.
void register_regions(OperatorTable& table) {
  table.extract("ROIPooling", extract_roi_pooling);
  table.extract("PSROIPooling", extract_psroi_pooling);
  table.extract("Proposal", extract_proposal);
  table.extract("SimplerNMS", extract_simpler_nms);
  table.extract("RegionYolo", extract_region_yolo);
  table.extract("ReorgYolo", extract_reorg);
  table.extract("Reorg", extract_reorg);
}

}  // namespace mo::caffe
