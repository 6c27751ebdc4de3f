#include "ops/reference/convolution.hpp"

#include "ops/reference/compute.hpp"
#include "ops/reference/window_offsets.hpp"

namespace mo::ops::reference {
namespace {

/// [G, I, O, kernel] -> [G, O, I, kernel].
template <class C>
void swap_channels(const C* from, C* to, const ConvolutionGeometry& g) {
  const std::int64_t kernel = g.window.kernel_size();
  for (std::int64_t group = 0; group < g.groups; ++group)
    for (std::int64_t o = 0; o < g.out_channels; ++o)
      for (std::int64_t i = 0; i < g.in_channels; ++i) {
        const C* source = from + ((group * g.in_channels + i) * g.out_channels + o) * kernel;
        to = std::copy(source, source + kernel, to);
      }
}

/// Result positions in blocks: the patches that a block sees are packed into a panel, the filters are multiplied with
/// it.
template <class C>
void convolve(const C* data, const C* filters, C* out, C* panel, const ConvolutionGeometry& g) {
  const std::int64_t kernel = g.window.kernel_size();
  const std::int64_t depth = g.in_channels * kernel;
  const std::int64_t in_plane = g.window.in_size();
  const std::int64_t out_plane = g.window.out_size();
  WindowOffsets offsets(g);
  for (std::int64_t first = 0; first < out_plane; first += kPanelColumns) {
    const std::int64_t columns = std::min(kPanelColumns, out_plane - first);
    offsets.locate(first, columns);
    for (std::int64_t image = 0; image < g.batch; ++image)
      for (std::int64_t group = 0; group < g.groups; ++group) {
        const std::int64_t block = image * g.groups + group;
        C* target = panel;
        for (std::int64_t i = 0; i < g.in_channels; ++i) {
          const C* plane = data + (block * g.in_channels + i) * in_plane;
          for (std::int64_t k = 0; k < kernel; ++k, target += kPanelColumns) {
            const std::int64_t* offset = offsets.at(k);
            for (std::int64_t j = 0; j < kPanelColumns; ++j) target[j] = offset[j] < 0 ? C(0) : plane[offset[j]];
          }
        }
        multiply_panel(filters + group * g.out_channels * depth, g.out_channels, depth, panel,
                       out + block * g.out_channels * out_plane + first, out_plane, columns);
      }
  }
}

}  // namespace

Expected<void> convolution(const Tensor& data, const Tensor& filters, Tensor& out, const ConvolutionGeometry& g) {
  // Without inputs every sum is empty; the result is zeros already. Also keeps the sizes below bounded by real memory.
  if (out.element_count() == 0 || data.element_count() == 0 || filters.element_count() == 0) return {};
  MO_ASSIGN(const Tensor x, to_compute(data));
  MO_ASSIGN(Tensor w, to_compute(filters));
  MO_ASSIGN(Tensor panel, Tensor::allocate(x.element_type(), {g.in_channels * g.window.kernel_size(), kPanelColumns}));
  return compute_into(out, [&](Tensor& target) {
    return visit_compute(x.element_type(), [&]<class C>(std::type_identity<C>) -> Expected<void> {
      if (g.transposed) {
        MO_ASSIGN(Tensor swapped, Tensor::allocate(w.element_type(), w.shape()));
        swap_channels(w.values<C>().data(), swapped.mutable_values<C>().data(), g);
        w = std::move(swapped);
      }
      convolve(x.values<C>().data(), w.values<C>().data(), target.mutable_values<C>().data(),
               panel.mutable_values<C>().data(), g);
      return {};
    });
  });
}

}  // namespace mo::ops::reference
