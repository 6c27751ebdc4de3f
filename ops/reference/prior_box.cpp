#include "ops/reference/prior_box.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace mo::ops::reference {
namespace {

constexpr std::int64_t kMostBoxes = 1 << 20;
constexpr float kLargestDensity = 1024;

/// Writes corners one after the other; remembers whether there was room.
class BoxWriter {
 public:
  BoxWriter(std::span<float> to, std::int64_t image_height, std::int64_t image_width)
      : to_(to),
        per_width_(1.0F / static_cast<float>(image_width)),
        per_height_(1.0F / static_cast<float>(image_height)) {}

  void add(float x, float y, float half_width, float half_height, bool clip) {
    if (at_ + 4 > to_.size()) {
      overflow_ = true;
      return;
    }
    float* box = to_.data() + at_;
    at_ += 4;
    box[0] = (x - half_width) * per_width_;
    box[1] = (y - half_height) * per_height_;
    box[2] = (x + half_width) * per_width_;
    box[3] = (y + half_height) * per_height_;
    if (clip) {
      box[0] = std::max(box[0], 0.0F);
      box[1] = std::max(box[1], 0.0F);
      box[2] = std::min(box[2], 1.0F);
      box[3] = std::min(box[3], 1.0F);
    }
  }
  bool filled() const { return !overflow_ && at_ == to_.size(); }

 private:
  std::span<float> to_;
  float per_width_;
  float per_height_;
  std::size_t at_ = 0;
  bool overflow_ = false;
};

/// 1 first, then what the model gives, each (and its inverse) once.
std::vector<float> distinct_ratios(const PriorBoxParameters& p) {
  std::vector<float> ratios{1.0F};
  for (const float ratio : p.aspect_ratio) {
    if (std::any_of(ratios.begin(), ratios.end(), [&](float r) { return std::fabs(ratio - r) < 1e-6F; })) continue;
    ratios.push_back(ratio);
    if (p.flip) ratios.push_back(1.0F / ratio);
  }
  return ratios;
}

bool is_square(float ratio) { return std::fabs(ratio - 1.0F) < 1e-6F; }

/// Boxes of a fixed size: a `density` x `density` grid around the place.
void add_dense(BoxWriter& writer, float x, float y, const PriorBoxParameters& p, std::size_t s, float half_width,
               float half_height) {
  const auto density = static_cast<std::int64_t>(p.density[s]);
  const auto shift = static_cast<float>(static_cast<std::int64_t>(p.fixed_size[s] / static_cast<float>(density)));
  // whole numbers, as runtimes compute them
  const auto half = static_cast<float>(static_cast<std::int64_t>(p.fixed_size[s]) / 2);
  for (std::int64_t row = 0; row < density; ++row)
    for (std::int64_t column = 0; column < density; ++column)
      writer.add(x - half + shift / 2.0F + static_cast<float>(column) * shift,
                 y - half + shift / 2.0F + static_cast<float>(row) * shift, half_width, half_height, true);
}

void add_fixed(BoxWriter& writer, float x, float y, const PriorBoxParameters& p, const std::vector<float>& ratios) {
  for (std::size_t s = 0; s < p.fixed_size.size(); ++s) {
    const auto of_ratio = [&](float ratio) {
      const float root = std::sqrt(ratio);
      add_dense(writer, x, y, p, s, p.fixed_size[s] * 0.5F * root, p.fixed_size[s] * 0.5F / root);
    };
    if (!p.fixed_ratio.empty()) {
      for (const float ratio : p.fixed_ratio) of_ratio(ratio);
      continue;
    }
    const float half = static_cast<float>(static_cast<std::int64_t>(p.fixed_size[s])) * 0.5F;
    add_dense(writer, x, y, p, s, half, half);
    for (const float ratio : ratios)
      if (!is_square(ratio)) of_ratio(ratio);
  }
}

void add_sized(BoxWriter& writer, float x, float y, const PriorBoxParameters& p, const std::vector<float>& min_size,
               const std::vector<float>& ratios) {
  for (std::size_t i = 0; i < min_size.size(); ++i) {
    writer.add(x, y, min_size[i] * 0.5F, min_size[i] * 0.5F, false);
    const auto add_largest = [&] {
      if (i >= p.max_size.size()) return;
      const float half = std::sqrt(min_size[i] * p.max_size[i]) * 0.5F;
      writer.add(x, y, half, half, false);
    };
    const auto add_ratios = [&] {
      if (!p.scale_all_sizes && i + 1 != min_size.size()) return;
      const float size = min_size[p.scale_all_sizes ? i : 0];
      for (const float ratio : ratios)
        if (!is_square(ratio)) writer.add(x, y, size * 0.5F * std::sqrt(ratio), size * 0.5F / std::sqrt(ratio), false);
    };
    if (p.ratios_last) {
      add_largest();
      add_ratios();
    } else {
      add_ratios();
      add_largest();
    }
  }
}

/// One variance for all, four in turn, or 0.1.
void fill_variances(std::span<float> to, const std::vector<float>& variance) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = variance.empty() ? 0.1F : variance[i % variance.size()];
}

}  // namespace

std::optional<std::int64_t> prior_box_count(const PriorBoxParameters& p) {
  if (!p.fixed_size.empty() && p.density.size() != p.fixed_size.size()) return std::nullopt;
  for (const float d : p.density)
    if (!(d >= 1 && d <= kLargestDensity)) return std::nullopt;
  for (const auto* ratios : {&p.aspect_ratio, &p.fixed_ratio})
    for (const float r : *ratios)
      if (!(r > 0) || !std::isfinite(r)) return std::nullopt;
  std::set<float> distinct{1.0F};
  for (const float ratio : p.aspect_ratio) {
    distinct.insert(static_cast<float>(std::round(static_cast<double>(ratio) * 1e6) / 1e6));
    if (p.flip) distinct.insert(static_cast<float>(std::round(1.0 / static_cast<double>(ratio) * 1e6) / 1e6));
  }
  const auto size = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  std::int64_t count =
      p.scale_all_sizes ? size(distinct) * size(p.min_size) + size(p.max_size) : size(distinct) + size(p.min_size) - 1;
  if (!p.fixed_size.empty()) count = size(distinct) * size(p.fixed_size);
  for (const float d : p.density) {
    const auto density = static_cast<std::int64_t>(d);
    count += (p.fixed_ratio.empty() ? size(distinct) : size(p.fixed_ratio)) * (density * density - 1);
  }
  return count >= 0 && count <= kMostBoxes ? std::optional(count) : std::nullopt;
}

bool prior_box(std::int64_t height, std::int64_t width, std::int64_t image_height, std::int64_t image_width,
               Tensor& out, const PriorBoxParameters& p) {
  const std::vector<float> ratios = distinct_ratios(p);
  std::vector<float> min_size = p.min_size;
  float step = p.step;
  if (!p.scale_all_sizes) {  // as MXNet: sizes and steps are relative to the image
    step = step == -1 ? static_cast<float>(image_height) / static_cast<float>(height)
                      : step * static_cast<float>(image_height);
    for (float& size : min_size) size *= static_cast<float>(image_height);
  }
  const auto values = out.mutable_values<float>();
  const std::span<float> boxes = values.first(values.size() / 2);
  BoxWriter writer(boxes, image_height, image_width);
  for (std::int64_t h = 0; h < height; ++h)
    for (std::int64_t w = 0; w < width; ++w) {
      float x = (p.offset + static_cast<float>(w)) * step;
      float y = (p.offset + static_cast<float>(h)) * step;
      if (step == 0) {
        x = (static_cast<float>(w) + 0.5F) * (static_cast<float>(image_width) / static_cast<float>(width));
        y = (static_cast<float>(h) + 0.5F) * (static_cast<float>(image_height) / static_cast<float>(height));
      }
      add_fixed(writer, x, y, p, ratios);
      add_sized(writer, x, y, p, min_size, ratios);
    }
  if (p.clip)
    for (float& v : boxes) v = std::clamp(v, 0.0F, 1.0F);
  fill_variances(values.last(values.size() / 2), p.variance);
  return writer.filled();
}

void prior_box_clustered(std::int64_t height, std::int64_t width, std::int64_t image_height, std::int64_t image_width,
                         Tensor& out, const PriorBoxClusteredParameters& p) {
  float step_w = p.step_w;
  float step_h = p.step_h;
  if (step_w == 0 && step_h == 0) {
    step_w = static_cast<float>(image_width) / static_cast<float>(width);
    step_h = static_cast<float>(image_height) / static_cast<float>(height);
  }
  const auto values = out.mutable_values<float>();
  float* box = values.data();
  const auto put = [&](float v) { *box++ = p.clip ? std::clamp(v, 0.0F, 1.0F) : v; };
  for (std::int64_t h = 0; h < height; ++h)
    for (std::int64_t w = 0; w < width; ++w)
      for (std::size_t s = 0; s < p.width.size(); ++s) {
        const float x = (static_cast<float>(w) + p.offset) * step_w;
        const float y = (static_cast<float>(h) + p.offset) * step_h;
        put((x - p.width[s] / 2.0F) / static_cast<float>(image_width));
        put((y - p.height[s] / 2.0F) / static_cast<float>(image_height));
        put((x + p.width[s] / 2.0F) / static_cast<float>(image_width));
        put((y + p.height[s] / 2.0F) / static_cast<float>(image_height));
      }
  fill_variances(values.last(values.size() / 2), p.variance);
}

}  // namespace mo::ops::reference
