#include "ops/reference/binary_convolution.hpp"

#include "core/tensor/packing.hpp"
#include "ops/reference/compute.hpp"
#include "ops/reference/gemm.hpp"
#include "ops/reference/window_runs.hpp"

namespace mo::ops::reference {

Expected<void> binary_convolution(const Tensor& data, const Tensor& filters, Tensor& out, const ConvolutionGeometry& g,
                                  bool padding) {
  if (out.element_count() == 0 || data.element_count() == 0 || filters.element_count() == 0) return {};
  const std::int64_t kernel = g.window.kernel_size();
  const std::int64_t depth = g.in_channels * kernel;
  const std::int64_t in_plane = g.window.in_size();
  const std::int64_t out_plane = g.window.out_size();
  // popcount(xnor) is a product of signs: +1 where the bits agree, -1 where they differ.
  MO_ASSIGN(Tensor signs, Tensor::allocate(ElementType::f32, filters.shape()));
  const auto weights = signs.mutable_values<float>();
  for (std::int64_t i = 0; i < filters.element_count(); ++i)
    weights[static_cast<std::size_t>(i)] = sub_byte_element(filters, i) != 0 ? 1.0F : -1.0F;
  MO_ASSIGN(Tensor interleaved, Tensor::allocate(ElementType::f32, filters.shape()));
  interleave_rows<float>(weights.data(), g.out_channels, depth, evenly_spaced(depth, 1),
                         interleaved.mutable_values<float>().data());
  MO_ASSIGN(Tensor panel_tensor, Tensor::allocate(ElementType::f32, {depth, kPanelColumns}));
  const auto panel = panel_tensor.mutable_values<float>();
  MO_ASSIGN(Tensor block_tensor, Tensor::allocate(ElementType::f32, {g.out_channels, kPanelColumns}));
  const std::vector<std::int64_t> rows = evenly_spaced(depth, kPanelColumns);
  const auto block = block_tensor.mutable_values<float>();
  visit_type(out.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto in = data.values<T>();
    const auto result = out.mutable_values<T>();
    WindowRuns window(g.window);
    for (std::int64_t first = 0; first < out_plane; first += kPanelColumns) {
      const std::int64_t columns = std::min(kPanelColumns, out_plane - first);
      window.locate(first, columns);
      for (std::int64_t image = 0; image < g.batch; ++image) {
        std::fill(panel.begin(), panel.end(), padding ? 1.0F : -1.0F);
        for (std::int64_t i = 0; i < g.in_channels; ++i) {
          const T* plane = in.data() + (image * g.in_channels + i) * in_plane;
          for (const WindowRun& run : window.runs()) {
            float* row = panel.data() + (i * kernel + run.kernel_position) * kPanelColumns;
            window.for_each_position(
                run, [=](auto column, auto offset) { row[column] = plane[offset] > T(0) ? 1.0F : -1.0F; });
          }
        }
        multiply_panel<float>(interleaved.values<float>().data(), g.out_channels, panel.data(), rows, block.data(),
                              kPanelColumns, columns);
        for (std::int64_t o = 0; o < g.out_channels; ++o)
          for (std::int64_t j = 0; j < columns; ++j)
            result[static_cast<std::size_t>((image * g.out_channels + o) * out_plane + first + j)] =
                static_cast<T>(static_cast<std::int64_t>(block[static_cast<std::size_t>(o * kPanelColumns + j)]));
      }
    }
  });
  return {};
}

}  // namespace mo::ops::reference
