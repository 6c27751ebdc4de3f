#include "ops/reference/roi_pooling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mo::ops::reference {
namespace {

/// The sizes that all kinds of pooling share.
struct Maps {
  std::int64_t channels, height, width, pooled_channels, rows, columns;

  Maps(const Tensor& data, const Tensor& out)
      : channels(data.shape()[1]),
        height(data.shape()[2]),
        width(data.shape()[3]),
        pooled_channels(out.shape()[1]),
        rows(out.shape()[2]),
        columns(out.shape()[3]) {}
  const float* plane(const Tensor& data, float batch, std::int64_t channel) const {
    return data.values<float>().data() + (static_cast<std::int64_t>(batch) * channels + channel) * height * width;
  }
};

/// A coordinate as an integer that stays in range whatever the model says.
std::int64_t whole(float v) { return static_cast<std::int64_t>(std::clamp(v, -1.0e9F, 1.0e9F)); }

/// Zero outside of the plane.
float bilinear(const float* plane, const Maps& maps, float y, float x) {
  if (!(y >= 0) || !(x >= 0) || y > static_cast<float>(maps.height) || x > static_cast<float>(maps.width)) return 0;
  const auto top = std::min(static_cast<std::int64_t>(y), maps.height - 1);
  const auto left = std::min(static_cast<std::int64_t>(x), maps.width - 1);
  const auto bottom = std::min(static_cast<std::int64_t>(std::ceil(y)), maps.height - 1);
  const auto right = std::min(static_cast<std::int64_t>(std::ceil(x)), maps.width - 1);
  const float dx = x - static_cast<float>(left);
  const float dy = y - static_cast<float>(top);
  const float above =
      plane[top * maps.width + left] + (plane[top * maps.width + right] - plane[top * maps.width + left]) * dx;
  const float below =
      plane[bottom * maps.width + left] + (plane[bottom * maps.width + right] - plane[bottom * maps.width + left]) * dx;
  return above + (below - above) * dy;
}

}  // namespace

void roi_max_pooling(const Tensor& data, const Tensor& rois, Tensor& out, float spatial_scale) {
  const Maps maps(data, out);
  float* to = out.mutable_values<float>().data();
  for (std::int64_t r = 0; r < rois.shape()[0]; ++r) {
    const float* roi = rois.values<float>().data() + 5 * r;
    const std::int64_t x1 = whole(std::round(roi[1] * spatial_scale));
    const std::int64_t y1 = whole(std::round(roi[2] * spatial_scale));
    const auto bin_height =
        static_cast<float>(std::max<std::int64_t>(whole(std::round(roi[4] * spatial_scale)) - y1 + 1, 1)) /
        static_cast<float>(maps.rows);
    const auto bin_width =
        static_cast<float>(std::max<std::int64_t>(whole(std::round(roi[3] * spatial_scale)) - x1 + 1, 1)) /
        static_cast<float>(maps.columns);
    for (std::int64_t c = 0; c < maps.pooled_channels; ++c) {
      const float* plane = maps.plane(data, roi[0], c);
      for (std::int64_t ph = 0; ph < maps.rows; ++ph) {
        const auto top =
            std::clamp<std::int64_t>(whole(std::floor(static_cast<float>(ph) * bin_height)) + y1, 0, maps.height);
        const auto bottom =
            std::clamp<std::int64_t>(whole(std::ceil(static_cast<float>(ph + 1) * bin_height)) + y1, 0, maps.height);
        for (std::int64_t pw = 0; pw < maps.columns; ++pw) {
          const auto left =
              std::clamp<std::int64_t>(whole(std::floor(static_cast<float>(pw) * bin_width)) + x1, 0, maps.width);
          const auto right =
              std::clamp<std::int64_t>(whole(std::ceil(static_cast<float>(pw + 1) * bin_width)) + x1, 0, maps.width);
          float largest = bottom <= top || right <= left ? 0.0F : std::numeric_limits<float>::lowest();
          for (std::int64_t h = top; h < bottom; ++h)
            for (std::int64_t w = left; w < right; ++w) largest = std::max(largest, plane[h * maps.width + w]);
          *to++ = largest;
        }
      }
    }
  }
}

void roi_bilinear_pooling(const Tensor& data, const Tensor& rois, Tensor& out) {
  const Maps maps(data, out);
  float* to = out.mutable_values<float>().data();
  // Sample number `bin` between both ends; the middle when there is but one. The last one is exactly at the end.
  const auto place = [](float start, float end, std::int64_t size, std::int64_t bin, std::int64_t bins) {
    const auto last = static_cast<float>(size - 1);
    if (bins == 1) return 0.5F * (start + end) * last;
    if (bin == bins - 1) return last * end;
    return static_cast<float>(bin) * ((end - start) * last / static_cast<float>(bins - 1)) + start * last;
  };
  for (std::int64_t r = 0; r < rois.shape()[0]; ++r) {
    const float* roi = rois.values<float>().data() + 5 * r;
    for (std::int64_t c = 0; c < maps.pooled_channels; ++c)
      for (std::int64_t ph = 0; ph < maps.rows; ++ph)
        for (std::int64_t pw = 0; pw < maps.columns; ++pw) {
          const float y = place(roi[2], roi[4], maps.height, ph, maps.rows);
          const float x = place(roi[1], roi[3], maps.width, pw, maps.columns);
          const bool inside = y <= static_cast<float>(maps.height - 1) && x <= static_cast<float>(maps.width - 1);
          *to++ = inside ? bilinear(maps.plane(data, roi[0], c), maps, y, x) : 0.0F;
        }
  }
}

void position_sensitive_average(const Tensor& data, const Tensor& rois, Tensor& out, float spatial_scale) {
  const Maps maps(data, out);
  float* to = out.mutable_values<float>().data();
  for (std::int64_t r = 0; r < rois.shape()[0]; ++r) {
    const float* roi = rois.values<float>().data() + 5 * r;
    const float x1 = std::round(roi[1]) * spatial_scale;
    const float y1 = std::round(roi[2]) * spatial_scale;
    const float bin_width = ((std::round(roi[3]) + 1.0F) * spatial_scale - x1) / static_cast<float>(maps.columns);
    const float bin_height = ((std::round(roi[4]) + 1.0F) * spatial_scale - y1) / static_cast<float>(maps.rows);
    std::int64_t channel = 0;
    for (std::int64_t c = 0; c < maps.pooled_channels; ++c)
      for (std::int64_t ph = 0; ph < maps.rows; ++ph)
        for (std::int64_t pw = 0; pw < maps.columns; ++pw, ++channel) {
          const float* plane = maps.plane(data, roi[0], channel);
          const auto left =
              std::clamp<std::int64_t>(whole(std::floor(x1 + static_cast<float>(pw) * bin_width)), 0, maps.width);
          const auto top =
              std::clamp<std::int64_t>(whole(std::floor(y1 + static_cast<float>(ph) * bin_height)), 0, maps.height);
          const auto right =
              std::clamp<std::int64_t>(whole(std::ceil(x1 + static_cast<float>(pw + 1) * bin_width)), 0, maps.width);
          const auto bottom =
              std::clamp<std::int64_t>(whole(std::ceil(y1 + static_cast<float>(ph + 1) * bin_height)), 0, maps.height);
          float sum = 0;
          for (std::int64_t h = top; h < bottom; ++h)
            for (std::int64_t w = left; w < right; ++w) sum += plane[h * maps.width + w];
          const std::int64_t count = std::max<std::int64_t>(bottom - top, 0) * std::max<std::int64_t>(right - left, 0);
          *to++ = count == 0 ? 0.0F : sum / static_cast<float>(count);
        }
  }
}

void position_sensitive_bilinear(const Tensor& data, const Tensor& rois, Tensor& out, float spatial_scale,
                                 std::int64_t bins_x, std::int64_t bins_y) {
  const Maps maps(data, out);
  float* to = out.mutable_values<float>().data();
  // Place of sample `at` of `count` in a bin that starts at `start` and is `size` long, both relative to the plane.
  const auto place = [](float start, float size, std::int64_t length, std::int64_t at, std::int64_t count) {
    const auto last = static_cast<float>(length - 1);
    if (count == 1) return (2 * start + size) * last / 2;
    return static_cast<float>(at) * (size * last / static_cast<float>(count - 1)) + start * last;
  };
  for (std::int64_t r = 0; r < rois.shape()[0]; ++r) {
    const float* roi = rois.values<float>().data() + 5 * r;
    const float x1 = roi[1] * spatial_scale;
    const float y1 = roi[2] * spatial_scale;
    const float bin_width = (roi[3] * spatial_scale - x1) / static_cast<float>(bins_x);
    const float bin_height = (roi[4] * spatial_scale - y1) / static_cast<float>(bins_y);
    for (std::int64_t c = 0; c < maps.pooled_channels; ++c)
      for (std::int64_t ph = 0; ph < maps.rows; ++ph)
        for (std::int64_t pw = 0; pw < maps.columns; ++pw) {
          float sum = 0;
          for (std::int64_t by = 0; by < bins_y; ++by)
            for (std::int64_t bx = 0; bx < bins_x; ++bx) {
              const float x = place(x1 + static_cast<float>(bx) * bin_width, bin_width, maps.width, pw, maps.columns);
              const float y = place(y1 + static_cast<float>(by) * bin_height, bin_height, maps.height, ph, maps.rows);
              if (x < static_cast<float>(maps.width) && y < static_cast<float>(maps.height))
                sum += bilinear(maps.plane(data, roi[0], (by * bins_x + bx) * maps.pooled_channels + c), maps, y, x);
            }
          *to++ = sum / static_cast<float>(bins_x * bins_y);
        }
  }
}

}  // namespace mo::ops::reference
