#include "ops/reference/roi_align.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace mo::ops::reference {
namespace {

constexpr double kMostSamples = 1 << 24;

/// One sample: four places of the plane and their weights.
struct Sample {
  std::array<std::int64_t, 4> places{};
  std::array<float, 4> weights{};
};

Sample sample_at(float y, float x, std::int64_t height, std::int64_t width) {
  if (y < -1 || x < -1 || y > static_cast<float>(height) || x > static_cast<float>(width)) return {};
  y = std::max(y, 0.0F);
  x = std::max(x, 0.0F);
  auto top = static_cast<std::int64_t>(y);
  auto left = static_cast<std::int64_t>(x);
  std::int64_t bottom = top + 1;
  std::int64_t right = left + 1;
  if (top >= height - 1) {
    top = bottom = height - 1;
    y = static_cast<float>(top);
  }
  if (left >= width - 1) {
    left = right = width - 1;
    x = static_cast<float>(left);
  }
  const float dy = y - static_cast<float>(top);
  const float dx = x - static_cast<float>(left);
  return {{top * width + left, top * width + right, bottom * width + left, bottom * width + right},
          {(1 - dy) * (1 - dx), (1 - dy) * dx, dy * (1 - dx), dy * dx}};
}

/// Where a region lies: samples are at places from (x, y) on, which are turned around a center.
struct RegionFrame {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;
  bool is_turned = false;
  float center_x = 0;
  float center_y = 0;
  float sine = 0;
  float cosine = 1;

  bool is_finite() const {
    return std::isfinite(x + center_x) && std::isfinite(y + center_y) && std::isfinite(width) &&
           std::isfinite(height) && std::isfinite(sine);
  }
};

RegionFrame corner_frame(const float* roi, const RoiAlignParameters& parameters) {
  const auto scale = static_cast<float>(parameters.spatial_scale);
  const auto from = static_cast<float>(parameters.source_offset);
  const auto to = static_cast<float>(parameters.target_offset);
  RegionFrame frame;
  frame.x = (roi[0] + from) * scale + to;
  frame.y = (roi[1] + from) * scale + to;
  frame.width = (roi[2] + from) * scale + to - frame.x;
  frame.height = (roi[3] + from) * scale + to - frame.y;
  if (!parameters.aligned) {
    frame.width = std::max(frame.width, 1.0F);
    frame.height = std::max(frame.height, 1.0F);
  }
  return frame;
}

RegionFrame turned_frame(const float* roi, const RoiAlignParameters& parameters) {
  const auto scale = static_cast<float>(parameters.spatial_scale);
  const auto to = static_cast<float>(parameters.target_offset);
  const float angle = parameters.rotation == Rotation::clockwise ? roi[4] : -roi[4];
  RegionFrame frame;
  frame.is_turned = true;
  frame.center_x = roi[0] * scale + to;
  frame.center_y = roi[1] * scale + to;
  frame.width = roi[2] * scale;
  frame.height = roi[3] * scale;
  frame.x = -frame.width / 2;
  frame.y = -frame.height / 2;
  frame.sine = std::sin(angle);
  frame.cosine = std::cos(angle);
  return frame;
}

Sample sample_in(const RegionFrame& frame, float y, float x, std::int64_t height, std::int64_t width) {
  if (!frame.is_turned) return sample_at(y, x, height, width);
  return sample_at(y * frame.cosine + x * frame.sine + frame.center_y,
                   x * frame.cosine - y * frame.sine + frame.center_x, height, width);
}

}  // namespace

Expected<void> roi_align(const Tensor& data, const Tensor& rois, const std::vector<std::int64_t>& batches, Tensor& out,
                         const RoiAlignParameters& parameters) {
  const std::int64_t channels = data.shape()[1];
  const std::int64_t height = data.shape()[2];
  const std::int64_t width = data.shape()[3];
  const std::int64_t bins_y = out.shape()[2];
  const std::int64_t bins_x = out.shape()[3];
  if (out.element_count() == 0) return {};
  const bool is_turned = parameters.rotation != Rotation::none;
  const float* const planes = data.values<float>().data();
  float* result = out.mutable_values<float>().data();
  std::vector<Sample> samples;
  for (std::size_t r = 0; r < batches.size(); ++r) {
    const float* roi = rois.values<float>().data() + (is_turned ? 5 : 4) * r;
    const RegionFrame frame = is_turned ? turned_frame(roi, parameters) : corner_frame(roi, parameters);
    const float x1 = frame.x;
    const float y1 = frame.y;
    const float bin_width = frame.width / static_cast<float>(bins_x);
    const float bin_height = frame.height / static_cast<float>(bins_y);
    const double ratio_x = parameters.sampling_ratio > 0 ? static_cast<double>(parameters.sampling_ratio)
                                                         : std::max(0.0, std::ceil(static_cast<double>(bin_width)));
    const double ratio_y = parameters.sampling_ratio > 0 ? static_cast<double>(parameters.sampling_ratio)
                                                         : std::max(0.0, std::ceil(static_cast<double>(bin_height)));
    const double count = ratio_x * ratio_y * static_cast<double>(bins_x) * static_cast<double>(bins_y);
    if (!frame.is_finite() || !(count <= kMostSamples))
      return error("MO-OPS-0452", "region {} cannot be sampled: it starts at ({}, {}) and is {} wide and {} high", r,
                   x1, y1, frame.width, frame.height)
          .hint("check spatial_scale and the boxes");
    const auto samples_x = static_cast<std::int64_t>(ratio_x);
    const auto samples_y = static_cast<std::int64_t>(ratio_y);
    const float step_x = bin_width / static_cast<float>(samples_x);
    const float step_y = bin_height / static_cast<float>(samples_y);
    samples.clear();
    for (std::int64_t by = 0; by < bins_y; ++by)
      for (std::int64_t bx = 0; bx < bins_x; ++bx)
        for (std::int64_t sy = 0; sy < samples_y; ++sy)
          for (std::int64_t sx = 0; sx < samples_x; ++sx)
            samples.push_back(sample_in(
                frame, y1 + static_cast<float>(by) * bin_height + step_y * (static_cast<float>(sy) + 0.5F),
                x1 + static_cast<float>(bx) * bin_width + step_x * (static_cast<float>(sx) + 0.5F), height, width));
    const auto per_bin = static_cast<std::size_t>(samples_x * samples_y);
    for (std::int64_t c = 0; c < channels; ++c) {
      const float* plane = planes + (batches[r] * channels + c) * height * width;
      const Sample* sample = samples.data();
      for (std::int64_t bin = 0; bin < bins_y * bins_x; ++bin) {
        float pooled = 0;
        for (std::size_t k = 0; k < per_bin; ++k, ++sample) {
          float value = 0;
          for (std::size_t corner = 0; corner < 4; ++corner)
            value += sample->weights[corner] * plane[sample->places[corner]];
          pooled = parameters.largest ? std::max(pooled, value) : pooled + value / static_cast<float>(per_bin);
        }
        *result++ = pooled;
      }
    }
  }
  return {};
}

}  // namespace mo::ops::reference
