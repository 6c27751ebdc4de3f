#include "ops/proposal.hpp"

#include <cmath>
#include <numeric>

#include "onnx_emitter/support/detection.hpp"

/// Proposal as TopK and NonMaxSuppression. `count` = H * W * anchors regions are in the order of the op: row, column,
/// anchor.
namespace mo::onnx_emitter {
namespace {

struct ProposalLayer {
  const ops::v4::Proposal* op = nullptr;
  std::int64_t height = 0, width = 0, anchors = 0;
  bool has_two_scales = false;
  bool is_tensorflow = false;
  Value image;  ///< height, width, one or two scales
  Value none;   ///< below all scores: no region

  double extent() const { return is_tensorflow ? 0 : 1; }  ///< Caffe counts the last pixel
  std::int64_t count() const { return height * width * anchors; }
};

Expected<ProposalLayer> proposal_layer(Translation& t, const ops::v4::Proposal& op) {
  const auto height = detection::known_size(t, 0, 2);
  const auto width = detection::known_size(t, 0, 3);
  const auto numbers = detection::known_size(t, 2, 0);
  if (!height || !width || *height < 1 || *width < 1) return t.refused("the size of its feature maps is unknown");
  if (!numbers) return t.refused("the number of scales of its image is unknown");
  if (op.pre_nms_topn < 1 || op.post_nms_topn < 1) return t.refused("a limit of 0 boxes");
  if (!(op.nms_thresh >= 0 && op.nms_thresh <= 1)) return t.refused("a nms_thresh outside of [0, 1]");
  ProposalLayer layer;
  layer.op = &op;
  layer.height = *height;
  layer.width = *width;
  layer.anchors = static_cast<std::int64_t>(op.ratio.size() * op.scale.size());
  layer.has_two_scales = *numbers > 3;
  layer.is_tensorflow = op.framework == "tensorflow";
  if (layer.anchors < 1 || detection::known_size(t, 0, 1) != 2 * layer.anchors)
    return t.refused("its scores are not those of its anchors");
  layer.image = detection::in_f32(t, 2);
  layer.none = detection::least_real(t);
  return layer;
}

/// Low and high corners of the anchors at place 0, x and y each: [1, 1, anchors, 2].
struct ProposalAnchors {
  std::vector<double> low, high;
};

/// In f32, as the op computes them.
ProposalAnchors proposal_anchors(const ProposalLayer& layer) {
  const auto extent = static_cast<float>(layer.extent());
  const auto base = static_cast<float>(layer.op->base_size);
  const float center = layer.is_tensorflow ? 0.0F : 0.5F * (base - extent);
  ProposalAnchors anchors;
  for (const double given : layer.op->ratio) {
    const auto ratio = static_cast<float>(given);
    float width = std::sqrt(base * base / ratio);
    if (!layer.is_tensorflow) width = std::round(width);
    const float height = layer.is_tensorflow ? width * ratio : std::round(width * ratio);
    for (const double wanted : layer.op->scale) {
      const auto scale = static_cast<float>(wanted);
      for (const float size : {width, height}) {
        const float half = 0.5F * (size * scale - extent);
        anchors.low.push_back(static_cast<double>(center - half));
        anchors.high.push_back(static_cast<double>(center + half));
      }
    }
  }
  return anchors;
}

/// Where the places of the feature map are in the image: [1, H * W, 1, 2].
std::vector<double> proposal_places(const ProposalLayer& layer) {
  std::vector<double> places;
  for (std::int64_t h = 0; h < layer.height; ++h)
    for (std::int64_t w = 0; w < layer.width; ++w) {
      // TensorFlow's boxes are y first.
      places.push_back(static_cast<double>((layer.is_tensorflow ? h : w) * layer.op->feat_stride));
      places.push_back(static_cast<double>((layer.is_tensorflow ? w : h) * layer.op->feat_stride));
    }
  return places;
}

/// max(0, min(value, limit))
Value in_proposal_image(Translation& t, const Value& value, const Value& limit) {
  return t.op("Max", {t.op("Min", {value, limit}), detection::real(t, 0)});
}

/// Corners [N, H * W, anchors, 2] each.
struct ProposalBoxes {
  Value low, high;
};

/// Anchors that the deltas have moved and resized.
ProposalBoxes proposal_boxes(Translation& t, const ProposalLayer& layer) {
  const auto& op = *layer.op;
  const auto scaled = [&](const Value& value, double scale) {
    return scale == 1 ? value : t.op("Div", {value, detection::real(t, scale)});
  };
  const ProposalAnchors anchors = proposal_anchors(layer);
  const Value places = detection::reals(t, {1, layer.height * layer.width, 1, 2}, proposal_places(layer));
  const Value size = t.op("Gather", {layer.image, t.integers({1, 0})}, {{"axis", 0}});
  const Value extent = detection::real(t, layer.extent());
  ProposalBoxes box{t.op("Add", {places, detection::reals(t, {1, 1, layer.anchors, 2}, anchors.low)}),
                    t.op("Add", {places, detection::reals(t, {1, 1, layer.anchors, 2}, anchors.high)})};
  if (layer.is_tensorflow) box = {in_proposal_image(t, box.low, size), in_proposal_image(t, box.high, size)};
  const Value spans = t.op("Add", {t.op("Sub", {box.high, box.low}), extent});
  const Value by_anchor = detection::reshaped(t, detection::in_f32(t, 1), {0, layer.anchors, 4, -1});
  const Outputs delta = detection::parts(t, t.transposed(by_anchor, {0, 3, 1, 2}), 3, {2, 2});
  const Value moved = t.op("Add", {t.op("Mul", {scaled(delta[0], op.box_coordinate_scale), spans}), box.low});
  const Value half = detection::real(t, 0.5);
  const Value center = t.op("Add", {moved, t.op("Mul", {half, spans})});
  const Value factor = t.op("Mul", {half, t.op("Exp", {scaled(delta[1], op.box_size_scale)})});
  const Value reach = t.op("Mul", {factor, spans});
  box = {t.op("Sub", {center, reach}), t.op("Add", {center, reach})};
  if (!op.clip_before_nms) return box;
  const Value last = t.op("Sub", {size, extent});
  return {in_proposal_image(t, box.low, last), in_proposal_image(t, box.high, last)};
}

/// [N, count]: the scores of the second half of channels, 0 where a box is smaller than min_size in the image.
Value proposal_scores(Translation& t, const ProposalLayer& layer, const ProposalBoxes& box) {
  const Value given = detection::sliced(t, detection::in_f32(t, 0), 1, layer.anchors, 2 * layer.anchors);
  const Value scores = t.transposed(detection::reshaped(t, given, {0, layer.anchors, -1}), {0, 2, 1});
  const Value spans = t.op("Add", {t.op("Sub", {box.high, box.low}), detection::real(t, layer.extent())});
  const Value scales = t.op("Gather", {layer.image, t.integers({layer.has_two_scales ? 3 : 2, 2})}, {{"axis", 0}});
  const Value least = t.op("Mul", {detection::real(t, static_cast<double>(layer.op->min_size)), scales});
  const Value more = t.with_axes("ReduceMin", t.op("Sub", {spans, least}), {3}, {{"keepdims", 0}}, 18);
  const Value zero = detection::real(t, 0);
  const Value found = t.op("Where", {t.op("Less", {more, zero}), zero, scores});
  return detection::reshaped(t, found, {0, -1});
}

/// The scores of what suppression leaves, `none` for all other regions: [N, count]. Overlaps count the last pixel where
/// the op does: corners move by one. (Boxes that are less than a pixel apart overlap then; the op says they do not.)
Value proposal_survivors(Translation& t, const ProposalLayer& layer, const ProposalBoxes& box, const Value& scores) {
  const Value end = layer.is_tensorflow ? box.high : t.op("Add", {box.high, detection::real(t, 1)});
  const Value boxes = detection::reshaped(t, detection::joined(t, {box.low, end}, 3), {0, -1, 4});
  const std::int64_t limit = layer.op->pre_nms_topn;
  const Value candidates =
      layer.count() <= limit ? scores : detection::only_best(t, scores, 1, t.integers({limit}), layer.none);
  const Value selected = detection::suppressed(t, boxes, t.with_axes("Unsqueeze", candidates, {1}),
                                               layer.op->post_nms_topn, layer.op->nms_thresh, layer.none);
  const Value places = detection::columns(t, selected, {0, 2});
  const Value found = t.op("GatherND", {scores, places});
  return t.op("ScatterND", {detection::filled_like(t, layer.none, scores), places, found});
}

/// The number of each image, [N, 1, 1].
Value proposal_images(Translation& t) {
  if (const auto images = detection::known_size(t, 0, 0)) {
    std::vector<double> numbers(static_cast<std::size_t>(*images));
    std::iota(numbers.begin(), numbers.end(), 0.0);
    return detection::reals(t, {*images, 1, 1}, numbers);
  }
  const Value count = t.op("Gather", {t.op("Shape", {t.input(0)}), t.scalar(ElementType::i64, 0)}, {{"axis", 0}});
  const Value range = t.op("Range", {t.scalar(ElementType::i64, 0), count, t.scalar(ElementType::i64, 1)});
  return detection::reshaped(t, t.cast(range, ElementType::f32), {-1, 1, 1});
}

/// First column of the result, [N, post_nms_topn, 1]: the number of the image, -1 in the first row without a box, 0 in
/// those after it. `is_box`: [N, post_nms_topn].
Value proposal_column(Translation& t, const ProposalLayer& layer, const Value& is_box) {
  const std::int64_t rows = layer.op->post_nms_topn;
  std::vector<double> numbers(static_cast<std::size_t>(rows));
  std::iota(numbers.begin(), numbers.end(), 0.0);
  const Value boxes = t.with_axes("ReduceSum", t.cast(is_box, ElementType::f32), {1}, {{"keepdims", 1}});
  const Value is_end = t.op("Equal", {detection::reals(t, {1, rows}, numbers), boxes});
  const Value end = t.op("Where", {is_end, detection::real(t, -1), detection::real(t, 0)});
  return t.op("Where", {t.with_axes("Unsqueeze", is_box, {2}), proposal_images(t), t.with_axes("Unsqueeze", end, {2})});
}

/// Corners of the regions at `index` [N, post_nms_topn] as the result has them, 0 where there is no box.
Value proposal_regions(Translation& t, const ProposalLayer& layer, const ProposalBoxes& box, const Value& index,
                       const Value& is_box) {
  const Value place = t.op("Where", {is_box, index, t.scalar(ElementType::i64, 0)});
  const Value places = t.op("Expand", {t.with_axes("Unsqueeze", place, {2}), t.integers({1, 1, 4})});
  const Value all = detection::reshaped(t, detection::joined(t, {box.low, box.high}, 3), {0, -1, 4});
  Value found = t.op("GatherElements", {all, places}, {{"axis", 1}});
  const Value size = t.op("Gather", {layer.image, t.integers({1, 0, 1, 0})}, {{"axis", 0}});
  if (layer.op->clip_after_nms) found = in_proposal_image(t, found, size);
  if (layer.op->normalize) found = t.op("Div", {found, size});
  return t.op("Where", {t.with_axes("Unsqueeze", is_box, {2}), found, detection::real(t, 0)});
}

template <class Op>
Expected<Outputs> proposal(Translation& t) {
  const ops::v4::Proposal& op = *t.node.as<Op>();
  MO_ASSIGN(const ProposalLayer layer, proposal_layer(t, op));
  const ProposalBoxes box = proposal_boxes(t, layer);
  const Value scores = proposal_scores(t, layer, box);
  Value left = proposal_survivors(t, layer, box, scores);
  const std::int64_t more = op.post_nms_topn - layer.count();
  if (more > 0) left = t.op("Pad", {left, t.integers({0, 0, 0, more}), layer.none}, {{"mode", "constant"}});
  const Outputs best = t.ops("TopK", {left, t.integers({op.post_nms_topn})}, 2, {{"axis", 1}});
  const Value is_box = t.op("Greater", {best[0], layer.none});
  const Value column = proposal_column(t, layer, is_box);
  const Value regions = detection::joined(t, {column, proposal_regions(t, layer, box, best[1], is_box)}, 2);
  Outputs made{detection::as_output(t, detection::reshaped(t, regions, {-1, 5}))};
  if (t.node.out_port_count() < 2) return made;
  const Value chances = t.op("Where", {is_box, best[0], detection::real(t, 0)});
  made.push_back(detection::as_output(t, detection::reshaped(t, chances, {-1}), 1));
  return made;
}

}  // namespace

void register_proposal(OnnxForms& table) {
  table.add<ops::v0::Proposal>(proposal<ops::v0::Proposal>);
  table.add<ops::v4::Proposal>(proposal<ops::v4::Proposal>);
}

}  // namespace mo::onnx_emitter
