#include "ops/reference/convolution.hpp"

#include <algorithm>
#include <span>

#include "ops/reference/compute.hpp"
#include "ops/reference/gemm.hpp"
#include "ops/reference/vector_code.hpp"
#include "ops/reference/window_runs.hpp"

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

/// So many filters of a group pay for packing what they meet.
constexpr std::int64_t kManyFilters = 8;

template <class C>
struct Operands {
  const C* data;
  const C* filters;
  C* out;
};

/// Clears the rows of a panel that have less than `columns` elements to see. Padding is at the same places of all
/// groups and images.
template <class C>
void clear_padding(C* panel, std::span<const std::int64_t> seen, std::int64_t columns, std::int64_t channels) {
  run_vectorised([=](auto) {
    for (std::size_t k = 0; k < seen.size(); ++k)
      for (std::int64_t i = 0; seen[k] < columns && i < channels; ++i)
        std::fill_n(panel + (i * std::ssize(seen) + static_cast<std::int64_t>(k)) * kPanelColumns, kPanelColumns, C(0));
  });
}

/// Copies what a block of positions sees of `channels` planes to the rows of a panel.
template <class C>
void pack(const C* plane, C* row, const WindowRuns& window, std::int64_t channels, const ConvolutionGeometry& g) {
  const std::int64_t in_plane = g.window.in_size();
  const std::int64_t kernel = g.window.kernel_size();
  run_vectorised([=, &window](auto) {
    const C* from = plane;
    C* to = row;
    for (std::int64_t i = 0; i < channels; ++i, from += in_plane, to += kernel * kPanelColumns)
      for (const WindowRun& run : window.runs()) {
        C* const target = to + run.kernel_position * kPanelColumns;
        if (run.count == kPanelColumns && window.is_dense())
          std::copy_n(from + run.offset, kPanelColumns, target);
        else
          window.for_each_position(run, [=](auto column, auto offset) { target[column] = from[offset]; });
      }
  });
}

/// Result positions in blocks: the patches that a block sees are packed into a panel, the filters are multiplied with
/// it. Few filters are multiplied with the data where it is, if no position of the block sees padding.
template <class C>
void convolve(const Operands<C>& in, C* panel, const ConvolutionGeometry& g) {
  const std::int64_t kernel = g.window.kernel_size();
  const std::int64_t depth = g.in_channels * kernel;
  const std::int64_t in_plane = g.window.in_size();
  const std::int64_t out_plane = g.window.out_size();
  const std::vector<std::int64_t> packed = panel_rows(depth);
  std::vector<std::int64_t> in_place(packed.size());
  std::vector<std::int64_t> seen(static_cast<std::size_t>(kernel));  // elements, by kernel position
  WindowRuns window(g.window, g.transposed);
  for (std::int64_t first = 0; first < out_plane; first += kPanelColumns) {
    const std::int64_t columns = std::min(kPanelColumns, out_plane - first);
    window.locate(first, columns);
    const bool lies_there =
        g.out_channels < kManyFilters && window.is_dense() && std::ssize(window.runs()) == kernel &&
        std::ranges::all_of(window.runs(), [](const WindowRun& run) { return run.count == kPanelColumns; });
    if (lies_there) {
      for (std::int64_t i = 0; i < g.in_channels; ++i)
        for (std::int64_t k = 0; k < kernel; ++k)
          in_place[static_cast<std::size_t>(i * kernel + k)] =
              i * in_plane + window.runs()[static_cast<std::size_t>(k)].offset;
    } else {
      std::ranges::fill(seen, 0);
      for (const WindowRun& run : window.runs()) seen[static_cast<std::size_t>(run.kernel_position)] += run.count;
      clear_padding<C>(panel, seen, columns, g.in_channels);
    }
    for (std::int64_t block = 0; block < g.batch * g.groups; ++block) {
      const C* planes = in.data + block * g.in_channels * in_plane;
      if (!lies_there) pack(planes, panel, window, g.in_channels, g);
      multiply_panel(in.filters + block % g.groups * g.out_channels * depth, g.out_channels,
                     lies_there ? planes : panel, lies_there ? in_place : packed,
                     in.out + block * g.out_channels * out_plane + first, out_plane, columns);
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
      convolve<C>({x.values<C>().data(), w.values<C>().data(), target.mutable_values<C>().data()},
                  panel.mutable_values<C>().data(), g);
      return {};
    });
  });
}

}  // namespace mo::ops::reference
