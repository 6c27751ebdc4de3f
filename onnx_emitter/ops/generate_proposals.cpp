#include "ops/generate_proposals.hpp"

#include <algorithm>

#include "onnx_emitter/support/box_deltas.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "ops/experimental_detectron.hpp"

/// Proposals of Detectron and of Paddle: boxes that deltas have moved, the best of them, suppression. N images, P
/// places and anchors.
namespace mo::onnx_emitter {
namespace {

struct ProposalLimits {
  double min_size = 0;
  double nms_threshold = 0;
  std::int64_t before = 0;  ///< the best candidates, and ...
  std::int64_t after = 0;   ///< … those that are left, of an image
  double extent = 0;        ///< 1: a box includes its last pixel
};

/// What is left: boxes [found, 4] by image and score, and their scores and images.
struct FoundProposals {
  Value boxes, scores, images;
};

/// `anchors` [P, 4], `deltas` [N, P, 4], `scores` [N, P], `images` [N, 2] (width, height), `least` [N, 1, 1]: smaller
/// boxes score `dropped`, or without it are left out of the best ones.
FoundProposals found_proposals(Translation& t, const ProposalLimits& limits, const Value& anchors, const Value& deltas,
                               const Value& scores, const Value& images, const Value& least, const Value& dropped) {
  constexpr double kMostGrowth = 4.135166556742356;  // ln(1000 / 16)
  const Outputs corner = detection::parts(t, anchors, 1, {2, 2});
  const detection::CornerPair boxes =
      detection::moved_boxes(t, {corner[0], corner[1]}, deltas, t.with_axes("Unsqueeze", images, {1}),
                             {.extent = limits.extent, .weights = {1, 1, 1, 1}, .most_growth = kMostGrowth}, 3);
  const Value size = t.op("Add", {t.op("Sub", {boxes.high, boxes.low}), detection::real(t, limits.extent)});
  const Value margin = t.with_axes("ReduceMin", t.op("Sub", {size, least}), {2}, {{"keepdims", 0}}, 18);
  const Value is_small = t.op("Less", {margin, detection::real(t, 0)});
  const Value least_score = detection::least_real(t);
  const Value candidates = dropped ? t.op("Where", {is_small, dropped, scores}) : scores;
  // No more candidates than there are places.
  const Value count = sizes::part(t, t.op("Shape", {scores}), 0, 1, 2);
  const Value limit =
      t.op("Where", {t.op("Less", {count, t.integers({limits.before})}), count, t.integers({limits.before})});
  Value best = detection::only_best(t, candidates, 1, limit, least_score);
  if (!dropped) best = t.op("Where", {is_small, least_score, best});
  const Value selected =
      detection::suppressed(t, detection::boxes_to_suppress(t, boxes, limits.extent, 3),
                            t.with_axes("Unsqueeze", best, {1}), limits.after, limits.nms_threshold, least_score);
  const Value places = detection::columns(t, selected, {0, 2});
  const Value corners = detection::joined(t, {boxes.low, boxes.high}, 2);
  return {t.op("GatherND", {corners, places}), t.op("GatherND", {candidates, places}),
          detection::reshaped(t, detection::columns(t, selected, {0}), {-1})};
}

/// One image: height, width and scale; anchors [P, 4]; deltas [4 * A, H, W]; scores [A, H, W].
Expected<Outputs> proposals_of_image(Translation& t) {
  const auto& op = *t.node.as<ops::ExperimentalDetectronGenerateProposalsSingleImage>();
  if (!(op.nms_threshold >= 0 && op.nms_threshold <= 1)) return t.refused("an nms_threshold outside of [0, 1]");
  const Value image = detection::in_f32(t, 0);
  const Value size = t.with_axes("Unsqueeze", t.op("Gather", {image, t.integers({1, 0})}, {{"axis", 0}}), {0});
  const Value shape = t.op("Shape", {t.input(3)});
  const Value anchors = sizes::part(t, shape, 0, 0, 1);
  const Value cut = detection::joined(t, {anchors, t.integers({4, -1})}, 0);
  const Value by_anchor = t.op("Reshape", {detection::in_f32(t, 2), cut});
  const Value deltas = detection::reshaped(t, t.transposed(by_anchor, {2, 0, 1}), {1, -1, 4});
  const Value scores = detection::reshaped(t, t.transposed(detection::in_f32(t, 3), {1, 2, 0}), {1, -1});
  const ProposalLimits limits{op.min_size, op.nms_threshold, op.pre_nms_count, op.post_nms_count, 1};
  const FoundProposals found = found_proposals(t, limits, detection::in_f32(t, 1), deltas, scores, size,
                                               detection::real(t, op.min_size), detection::real(t, 0));
  const std::int64_t rows = op.post_nms_count;
  const Value boxes = detection::rows_up_to(t, found.boxes, rows, {4}, ElementType::f32);
  const Value chances = detection::rows_up_to(t, found.scores, rows, {}, ElementType::f32);
  return Outputs{detection::as_output(t, boxes, 0), detection::as_output(t, chances, 1)};
}

/// Images [N, 3 or 4] (height, width, scales); anchors [H, W, A, 4]; deltas [N, 4 * A, H, W]; scores [N, A, H, W].
Expected<Outputs> proposals_of_batch(Translation& t) {
  const auto& op = *t.node.as<ops::GenerateProposals>();
  if (op.nms_eta != 1) return t.refused("a threshold that adapts (nms_eta)");
  if (!(op.nms_threshold >= 0 && op.nms_threshold <= 1)) return t.refused("an nms_threshold outside of [0, 1]");
  const Value image = detection::in_f32(t, 0);
  const Value size = t.op("Gather", {image, t.integers({1, 0})}, {{"axis", 1}});
  const Value shape = t.op("Shape", {t.input(3)});
  const Value batch = sizes::part(t, shape, 0, 0, 1);
  const Value cut = detection::joined(t, {batch, sizes::part(t, shape, 0, 1, 2), t.integers({4, -1})}, 0);
  const Value by_anchor = t.op("Reshape", {detection::in_f32(t, 2), cut});
  const auto places_of = [&](const Value& value, const std::vector<std::int64_t>& rest) {
    return t.op("Reshape", {value, detection::joined(t, {batch, t.integers(rest)}, 0)});
  };
  const Value deltas = places_of(t.transposed(by_anchor, {0, 3, 1, 2}), {-1, 4});
  const Value scores = places_of(t.transposed(detection::in_f32(t, 3), {0, 2, 3, 1}), {-1});
  const ProposalLimits limits{op.min_size, op.nms_threshold, op.pre_nms_count, op.post_nms_count,
                              op.normalized ? 0.0 : 1.0};
  const Value anchors = detection::reshaped(t, detection::in_f32(t, 1), {-1, 4});
  const FoundProposals found = found_proposals(t, limits, anchors, deltas, scores, size,
                                               detection::real(t, std::max(op.min_size, 1.0)), Value());
  const Value images = sizes::counted(t, t.op("Reshape", {batch, t.integers({})}));
  const Value is_of = t.op("Equal", {t.with_axes("Unsqueeze", images, {1}), found.images});
  const Value counts = t.with_axes("ReduceSum", t.cast(is_of, ElementType::i64), {1}, {{"keepdims", 0}});
  return Outputs{detection::as_output(t, found.boxes, 0), detection::as_output(t, found.scores, 1),
                 sizes::as_index_type(t, counts, op.roi_num_type)};
}

}  // namespace

void register_generate_proposals(OnnxForms& table) {
  table.add<ops::ExperimentalDetectronGenerateProposalsSingleImage>(proposals_of_image);
  table.add<ops::GenerateProposals>(proposals_of_batch);
}

}  // namespace mo::onnx_emitter
