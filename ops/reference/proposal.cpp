#include "ops/reference/proposal.hpp"

#include <algorithm>
#include <cmath>

namespace mo::ops::reference {
namespace {

struct Region {
  float x1, y1, x2, y2;
  float score = 0;
};

std::vector<Region> base_anchors(const ProposalParameters& p) {
  const float extent = p.tensorflow ? 0.0F : 1.0F;
  const auto base = static_cast<float>(p.base_size);
  const float center = p.tensorflow ? 0.0F : 0.5F * (base - extent);
  std::vector<Region> anchors;
  for (const float ratio : p.ratios) {
    float width = std::sqrt(base * base / ratio);
    if (!p.tensorflow) width = std::round(width);
    const float height = p.tensorflow ? width * ratio : std::round(width * ratio);
    for (const float scale : p.scales) {
      const float half_width = 0.5F * (width * scale - extent);
      const float half_height = 0.5F * (height * scale - extent);
      anchors.push_back({center - half_width, center - half_height, center + half_width, center + half_height});
    }
  }
  return anchors;
}

float clip(float v, float limit) { return std::max(0.0F, std::min(v, limit)); }

Region clip(const Region& r, float width, float height) {
  return {clip(r.x1, width), clip(r.y1, height), clip(r.x2, width), clip(r.y2, height), r.score};
}

float overlap_with(const Region& a, const Region& b, float extent) {
  if (a.x1 > b.x2 || b.x1 > a.x2 || a.y1 > b.y2 || b.y1 > a.y2) return 0;
  const float width = std::max(0.0F, std::min(a.x2, b.x2) - std::max(a.x1, b.x1) + extent);
  const float height = std::max(0.0F, std::min(a.y2, b.y2) - std::max(a.y1, b.y1) + extent);
  const float area_a = (a.x2 - a.x1 + extent) * (a.y2 - a.y1 + extent);
  const float area_b = (b.x2 - b.x1 + extent) * (b.y2 - b.y1 + extent);
  return width * height / (area_a + area_b - width * height);
}

/// The boxes of one image before suppression.
std::vector<Region> regions_of(const float* scores, const float* deltas, std::int64_t height, std::int64_t width,
                               const std::vector<Region>& anchors, const std::vector<float>& image,
                               const ProposalParameters& p) {
  const float extent = p.tensorflow ? 0.0F : 1.0F;
  const float min_height = static_cast<float>(p.min_size) * image[2];
  const float min_width = static_cast<float>(p.min_size) * (image.size() > 3 ? image[3] : image[2]);
  const std::int64_t area = height * width;
  std::vector<Region> regions;
  regions.reserve(static_cast<std::size_t>(area) * anchors.size());
  for (std::int64_t h = 0; h < height; ++h)
    for (std::int64_t w = 0; w < width; ++w)
      for (std::size_t a = 0; a < anchors.size(); ++a) {
        // TensorFlow's boxes are y first.
        const auto x = static_cast<float>((p.tensorflow ? h : w) * p.feat_stride);
        const auto y = static_cast<float>((p.tensorflow ? w : h) * p.feat_stride);
        const auto delta = [&](std::int64_t k) {
          return deltas[(static_cast<std::int64_t>(a) * 4 + k) * area + h * width + w];
        };
        Region r{x + anchors[a].x1, y + anchors[a].y1, x + anchors[a].x2, y + anchors[a].y2};
        if (p.tensorflow) r = clip(r, image[1], image[0]);
        const float box_width = r.x2 - r.x1 + extent;
        const float box_height = r.y2 - r.y1 + extent;
        const float center_x = delta(0) / p.box_coordinate_scale * box_width + r.x1 + 0.5F * box_width;
        const float center_y = delta(1) / p.box_coordinate_scale * box_height + r.y1 + 0.5F * box_height;
        const float half_width = 0.5F * std::exp(delta(2) / p.box_size_scale) * box_width;
        const float half_height = 0.5F * std::exp(delta(3) / p.box_size_scale) * box_height;
        r = {center_x - half_width, center_y - half_height, center_x + half_width, center_y + half_height};
        if (p.clip_before_nms) r = clip(r, image[1] - extent, image[0] - extent);
        const bool large = min_width <= r.x2 - r.x1 + extent && min_height <= r.y2 - r.y1 + extent;
        const float score = scores[static_cast<std::int64_t>(a) * area + h * width + w];
        r.score = large && !std::isnan(score) ? score : 0.0F;  // a NaN has no place in an order
        regions.push_back(r);
      }
  return regions;
}

}  // namespace

void proposal(const Tensor& scores, const Tensor& deltas, const std::vector<float>& image, Tensor& rois,
              Tensor& probabilities, const ProposalParameters& p) {
  const Shape& shape = scores.shape();
  const std::vector<Region> anchors = base_anchors(p);
  const std::int64_t count = static_cast<std::int64_t>(anchors.size()) * shape[2] * shape[3];
  const float extent = p.tensorflow ? 0.0F : 1.0F;
  for (std::int64_t n = 0; n < shape[0]; ++n) {
    // The first half of the scores is that of the background.
    std::vector<Region> regions =
        regions_of(scores.values<float>().data() + (2 * n + 1) * count, deltas.values<float>().data() + 4 * n * count,
                   shape[2], shape[3], anchors, image, p);
    std::stable_sort(regions.begin(), regions.end(),
                     [](const Region& a, const Region& b) { return a.score > b.score; });
    if (static_cast<std::int64_t>(regions.size()) > p.pre_nms_topn)
      regions.resize(static_cast<std::size_t>(p.pre_nms_topn));
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < regions.size() && static_cast<std::int64_t>(kept.size()) < p.post_nms_topn; ++i)
      if (std::none_of(kept.begin(), kept.end(),
                       [&](std::size_t k) { return overlap_with(regions[k], regions[i], extent) > p.nms_threshold; }))
        kept.push_back(i);
    float* row = rois.mutable_values<float>().data() + n * p.post_nms_topn * 5;
    for (std::size_t i = 0; i < kept.size(); ++i, row += 5) {
      Region r = regions[kept[i]];
      if (p.clip_after_nms) r = clip(r, image[1], image[0]);
      const float per_width = p.normalize ? image[1] : 1.0F;
      const float per_height = p.normalize ? image[0] : 1.0F;
      row[0] = static_cast<float>(n);
      row[1] = r.x1 / per_width;
      row[2] = r.y1 / per_height;
      row[3] = r.x2 / per_width;
      row[4] = r.y2 / per_height;
      if (!probabilities.empty())
        probabilities.mutable_values<float>()[static_cast<std::size_t>(n * p.post_nms_topn) + i] = r.score;
    }
    if (static_cast<std::int64_t>(kept.size()) < p.post_nms_topn) row[0] = -1;
  }
}

}  // namespace mo::ops::reference
