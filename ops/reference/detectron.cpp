#include "ops/reference/detectron.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "ops/reference/roi_align.hpp"

namespace mo::ops::reference {
namespace {

/// Which level a region is looked up in: one of 224 x 224 pixels in the third, and one more for each doubling. Nothing
/// for a region without an area.
std::optional<std::size_t> level_of(const float* roi, std::size_t levels) {
  constexpr float kCanonicalSize = 224;
  constexpr float kCanonicalLevel = 2;
  const float area = (roi[2] - roi[0]) * (roi[3] - roi[1]);
  if (!(area > 0)) return std::nullopt;
  const float level = std::floor(std::log2(std::sqrt(area) / kCanonicalSize + 1e-6F) + kCanonicalLevel);
  return static_cast<std::size_t>(std::clamp(level, 0.0F, static_cast<float>(levels - 1)));
}

/// A box whose ends are pixels of it.
struct PixelBox {
  float x1 = 0, y1 = 0, x2 = 0, y2 = 0;

  float area() const { return (x2 - x1 + 1) * (y2 - y1 + 1); }
};

float overlap(const PixelBox& a, const PixelBox& b) {
  const float width = std::min(a.x2, b.x2) - std::max(a.x1, b.x1) + 1;
  const float height = std::min(a.y2, b.y2) - std::max(a.y1, b.y1) + 1;
  if (!(width > 0) || !(height > 0)) return 0;
  return width * height / (a.area() + b.area() - width * height);
}

struct PixelDetection {
  float score = 0;
  std::int32_t label = 0;
  PixelBox box;
};

PixelBox moved(const float* roi, const float* delta, const DetectronParameters& p) {
  const float width = roi[2] - roi[0] + 1;
  const float height = roi[3] - roi[1] + 1;
  const auto weighted = [&](std::size_t i) { return delta[i] / static_cast<float>(p.weights[i]); };
  const auto grown = [&](std::size_t i) {
    return std::exp(std::min(weighted(i), static_cast<float>(p.max_delta_log_wh)));
  };
  const float x = roi[0] + 0.5F * width + weighted(0) * width;
  const float y = roi[1] + 0.5F * height + weighted(1) * height;
  const float half_width = 0.5F * grown(2) * width;
  const float half_height = 0.5F * grown(3) * height;
  const auto on_image = [](float v, float size) { return std::max(0.0F, std::min(v, size - 1)); };
  return {on_image(x - half_width, p.width), on_image(y - half_height, p.height), on_image(x + half_width - 1, p.width),
          on_image(y + half_height - 1, p.height)};
}

}  // namespace

Expected<void> pyramid_features(const Tensor& rois, const std::vector<Tensor>& levels, Tensor& out,
                                const PyramidParameters& parameters) {
  const float* const boxes = rois.values<float>().data();
  const auto result = out.mutable_values<float>();
  std::fill(result.begin(), result.end(), 0.0F);
  if (result.empty()) return {};
  std::vector<std::vector<std::size_t>> members(levels.size());
  for (std::size_t i = 0; i < static_cast<std::size_t>(rois.shape()[0]); ++i)
    if (const auto level = level_of(boxes + 4 * i, levels.size())) members[*level].push_back(i);
  const std::size_t each = result.size() / static_cast<std::size_t>(rois.shape()[0]);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const std::vector<std::size_t>& here = members[level];
    if (here.empty()) continue;
    std::vector<float> corners;
    for (const std::size_t i : here) corners.insert(corners.end(), boxes + 4 * i, boxes + 4 * i + 4);
    const auto count = static_cast<std::int64_t>(here.size());
    MO_ASSIGN(Tensor regions, Tensor::allocate(ElementType::f32, {count, 4}));
    std::copy(corners.begin(), corners.end(), regions.mutable_values<float>().begin());
    MO_ASSIGN(Tensor pooled,
              Tensor::allocate(ElementType::f32, {count, out.shape()[1], out.shape()[2], out.shape()[3]}));
    MO_TRY(roi_align(levels[level], regions, std::vector<std::int64_t>(here.size(), 0), pooled,
                     {.sampling_ratio = parameters.sampling_ratio,
                      .spatial_scale = 1.0 / static_cast<double>(parameters.scales[level]),
                      .aligned = parameters.aligned,
                      .target_offset = parameters.aligned ? -0.5 : 0}));
    const float* from = pooled.values<float>().data();
    for (const std::size_t i : here) {
      std::copy(from, from + each, result.begin() + static_cast<std::ptrdiff_t>(i * each));
      from += each;
    }
  }
  return {};
}

void detectron_detections(const Tensor& rois, const Tensor& deltas, const Tensor& class_scores, Tensor& boxes,
                          Tensor& labels, Tensor& scores, const DetectronParameters& parameters) {
  const auto count = static_cast<std::size_t>(rois.shape()[0]);
  const auto classes = static_cast<std::size_t>(class_scores.shape()[1]);
  const float* const regions = rois.values<float>().data();
  const float* const codes = deltas.values<float>().data();
  const float* const probabilities = class_scores.values<float>().data();
  std::vector<PixelDetection> kept;
  for (std::size_t label = 1; label < classes; ++label) {
    std::vector<PixelDetection> candidates;
    for (std::size_t i = 0; i < count; ++i)
      if (const float score = probabilities[i * classes + label];
          score > static_cast<float>(parameters.score_threshold))
        candidates.push_back({score, static_cast<std::int32_t>(label),
                              moved(regions + 4 * i, codes + 4 * (i * classes + label), parameters)});
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const PixelDetection& a, const PixelDetection& b) { return a.score > b.score; });
    const std::size_t first = kept.size();
    for (const PixelDetection& next : candidates) {
      if (static_cast<std::int64_t>(kept.size() - first) >= parameters.most_of_class) break;
      const bool hidden =
          std::any_of(kept.begin() + static_cast<std::ptrdiff_t>(first), kept.end(), [&](const PixelDetection& better) {
            return overlap(next.box, better.box) > static_cast<float>(parameters.nms_threshold);
          });
      if (!hidden) kept.push_back(next);
    }
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [](const PixelDetection& a, const PixelDetection& b) { return a.score > b.score; });
  const auto box_rows = boxes.mutable_values<float>();
  const auto label_rows = labels.mutable_values<std::int32_t>();
  const auto score_rows = scores.mutable_values<float>();
  std::fill(box_rows.begin(), box_rows.end(), 0.0F);
  std::fill(label_rows.begin(), label_rows.end(), 0);
  std::fill(score_rows.begin(), score_rows.end(), 0.0F);
  for (std::size_t i = 0; i < std::min(kept.size(), score_rows.size()); ++i) {
    const PixelBox& box = kept[i].box;
    std::copy_n(std::array{box.x1, box.y1, box.x2, box.y2}.begin(), 4,
                box_rows.begin() + static_cast<std::ptrdiff_t>(4 * i));
    label_rows[i] = kept[i].label;
    score_rows[i] = kept[i].score;
  }
}

}  // namespace mo::ops::reference
