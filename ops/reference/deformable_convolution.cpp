#include "ops/reference/deformable_convolution.hpp"

#include <cmath>
#include <vector>

#include "core/tensor/convert.hpp"
#include "ops/reference/gemm.hpp"
#include "ops/reference/real.hpp"

namespace mo::ops::reference {
namespace {

/// Four neighbours and their weights; a weight of 0 with offset 0 stands for "nothing there".
template <class A>
struct Sample {
  std::int64_t offset[4] = {0, 0, 0, 0};
  A weight[4] = {0, 0, 0, 0};

  A read(const A* plane) const {
    A sum = 0;
    for (int i = 0; i < 4; ++i) sum += weight[i] == A(0) ? A(0) : weight[i] * plane[offset[i]];
    return sum;
  }
};

template <class A>
Sample<A> sample_at(A y, A x, std::int64_t height, std::int64_t width, bool pad) {
  Sample<A> sample;
  // Written so that NaN is outside.
  const A least = pad ? A(-1) : A(0);
  const bool inside = (pad ? y > least && x > least : y >= least && x >= least) && y < static_cast<A>(height) &&
                      x < static_cast<A>(width);
  if (!inside) return sample;
  const auto low_y = static_cast<std::int64_t>(std::floor(y));
  const auto low_x = static_cast<std::int64_t>(std::floor(x));
  const A part_y = y - static_cast<A>(low_y);
  const A part_x = x - static_cast<A>(low_x);
  for (int i = 0; i < 4; ++i) {
    std::int64_t at_y = low_y + i / 2;
    std::int64_t at_x = low_x + i % 2;
    if (!pad) {
      at_y = std::min(at_y, height - 1);
      at_x = std::min(at_x, width - 1);
    }
    if (at_y < 0 || at_x < 0 || at_y >= height || at_x >= width) continue;
    sample.offset[i] = at_y * width + at_x;
    sample.weight[i] = (i / 2 == 0 ? A(1) - part_y : part_y) * (i % 2 == 0 ? A(1) - part_x : part_x);
  }
  return sample;
}

template <class A>
struct DeformableOperands {
  const A* data;
  const A* offsets;
  const A* filters;
  const A* mask;
  A* out;
  A* panel;
};

template <class A>
void convolve_deformed(const DeformableOperands<A>& in, const ConvolutionGeometry& g, std::int64_t deformable_groups,
                       bool pad) {
  const auto& y = g.window.axes[1];
  const auto& x = g.window.axes[2];
  const std::int64_t kernel = y.kernel * x.kernel;
  const std::int64_t all_channels = g.in_channels * g.groups;
  const std::int64_t depth = g.in_channels * kernel;
  const std::int64_t in_plane = y.in * x.in;
  const std::int64_t out_plane = y.out * x.out;
  const std::int64_t channels_per_offsets = all_channels / deformable_groups;
  const std::vector<std::int64_t> rows = evenly_spaced(depth, kPanelColumns);
  std::vector<Sample<A>> samples(static_cast<std::size_t>(deformable_groups * kernel * kPanelColumns));
  for (std::int64_t image = 0; image < g.batch; ++image)
    for (std::int64_t first = 0; first < out_plane; first += kPanelColumns) {
      const std::int64_t columns = std::min(kPanelColumns, out_plane - first);
      for (std::int64_t d = 0; d < deformable_groups * kernel; ++d)
        for (std::int64_t j = 0; j < columns; ++j) {
          const std::int64_t position = first + j;
          const std::int64_t k = d % kernel;
          const A* moved = in.offsets + (image * deformable_groups * kernel + d) * 2 * out_plane + position;
          const A at_y = static_cast<A>(y.start(position / x.out) + k / x.kernel * y.dilation) + moved[0];
          const A at_x = static_cast<A>(x.start(position % x.out) + k % x.kernel * x.dilation) + moved[out_plane];
          Sample<A> sample = sample_at(at_y, at_x, y.in, x.in, pad);
          if (in.mask != nullptr)
            for (A& weight : sample.weight)
              weight *= in.mask[(image * deformable_groups * kernel + d) * out_plane + position];
          samples[static_cast<std::size_t>(d * kPanelColumns + j)] = sample;
        }
      for (std::int64_t group = 0; group < g.groups; ++group) {
        A* target = in.panel;
        for (std::int64_t i = 0; i < g.in_channels; ++i) {
          const std::int64_t channel = group * g.in_channels + i;
          const A* plane = in.data + (image * all_channels + channel) * in_plane;
          const Sample<A>* source = samples.data() + channel / channels_per_offsets * kernel * kPanelColumns;
          for (std::int64_t k = 0; k < kernel; ++k, target += kPanelColumns, source += kPanelColumns)
            for (std::int64_t j = 0; j < kPanelColumns; ++j) target[j] = j < columns ? source[j].read(plane) : A(0);
        }
        multiply_panel(in.filters + group * g.out_channels * depth, g.out_channels, in.panel, rows,
                       in.out + (image * g.groups + group) * g.out_channels * out_plane + first, out_plane, columns);
      }
    }
}

}  // namespace

Expected<void> deformable_convolution(const Tensor& data, const Tensor& offsets, const Tensor& filters,
                                      const Tensor* mask, Tensor& out, const ConvolutionGeometry& g,
                                      std::int64_t deformable_groups, bool pad) {
  if (out.element_count() == 0 || data.element_count() == 0 || filters.element_count() == 0) return {};
  // Interpolation makes reals of integers too: those are computed in f64 and cut at the end.
  const ElementType type = data.element_type();
  const ElementType compute = is_real(type) && type != ElementType::f64 ? ElementType::f32 : ElementType::f64;
  MO_ASSIGN(const Tensor x, convert(data, compute));
  MO_ASSIGN(const Tensor moved, convert(offsets, compute));
  MO_ASSIGN(const Tensor w, convert(filters, compute));
  MO_ASSIGN(Tensor interleaved, Tensor::allocate(compute, w.shape()));
  Tensor weights;
  if (mask != nullptr) { MO_ASSIGN(weights, convert(*mask, compute)); }
  MO_ASSIGN(Tensor panel, Tensor::allocate(compute, {g.in_channels * g.window.kernel_size(), kPanelColumns}));
  MO_ASSIGN(Tensor result, Tensor::allocate(compute, out.shape()));
  visit_real(compute, [&]<class A>(std::type_identity<A>) {
    if constexpr (std::is_same_v<A, float> || std::is_same_v<A, double>) {
      const std::int64_t depth = g.in_channels * g.window.kernel_size();
      const std::vector<std::int64_t> elements = evenly_spaced(depth, 1);
      for (std::int64_t first = 0; first < w.element_count(); first += g.out_channels * depth)
        interleave_rows(w.values<A>().data() + first, g.out_channels, depth, elements,
                        interleaved.mutable_values<A>().data() + first);
      convolve_deformed<A>({x.values<A>().data(), moved.values<A>().data(), interleaved.values<A>().data(),
                            mask != nullptr ? weights.values<A>().data() : nullptr, result.mutable_values<A>().data(),
                            panel.mutable_values<A>().data()},
                           g, deformable_groups, pad);
    }
  });
  if (compute == type) {
    out = std::move(result);
    return {};
  }
  MO_ASSIGN(out, convert(result, type));
  return {};
}

}  // namespace mo::ops::reference
