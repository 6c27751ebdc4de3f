#include "ops/reference/convolution.hpp"

#include <algorithm>

#include "ops/reference/compute.hpp"
#include "ops/reference/convolution_plan.hpp"
#include "ops/reference/gemm.hpp"
#include "ops/reference/vector_code.hpp"

namespace mo::ops::reference {
namespace {

/// So many filters of a group pay for packing what they meet. Fewer are multiplied with the layout itself.
constexpr std::int64_t kManyFilters = 8;
/// Rows are packed in pieces of so many elements: less than one piece is read and written beyond their ends.
constexpr std::int64_t kPiece = 16;

std::int64_t columns_of_block(const ConvolutionGeometry& g) {
  return g.out_channels < kManyFilters ? 8 * kPanelColumns : kPanelColumns;
}

/// One row of a layout; `row`: of the data, null where there is padding only.
template <class C>
void lay_out_row(const C* row, std::int64_t in, const AxisLayout& l, std::int64_t part, C* to) {
  const std::int64_t start = part + l.origin;  // coordinate of element 0
  const auto first_from = [&](std::int64_t coordinate) {
    return coordinate <= start ? 0 : std::min(l.length, (coordinate - start + l.stride - 1) / l.stride);
  };
  const std::int64_t begin = row == nullptr ? l.length : first_from(0);
  const std::int64_t end = row == nullptr ? l.length : std::max(begin, first_from(in));
  std::fill_n(to, begin, C(0));
  std::fill(to + end, to + l.length, C(0));
  if (begin == end) return;
  const C* const from = row + begin * l.stride + start;
  const auto copy = [=](auto stride) {
    for (std::int64_t i = 0; i < end - begin; ++i) to[begin + i] = from[i * stride];
  };
  // The usual strides are constants, for the sake of vectors.
  if (l.stride == 1)
    copy(std::integral_constant<std::int64_t, 1>{});
  else if (l.stride == 2)
    copy(std::integral_constant<std::int64_t, 2>{});
  else
    copy(std::int64_t{l.stride});
}

template <class C>
void lay_out(const C* plane, const Window& window, const std::array<AxisLayout, 3>& axes, C* to) {
  const auto& [z, y, x] = axes;
  const auto& [in_z, in_y, in_x] = window.axes;
  for (const std::int64_t part_z : z.parts)
    for (const std::int64_t part_y : y.parts)
      for (const std::int64_t part_x : x.parts)
        for (std::int64_t j = 0; j < z.length; ++j)
          for (std::int64_t i = 0; i < y.length; ++i, to += x.length) {
            const std::int64_t at_z = j * z.stride + part_z + z.origin;
            const std::int64_t at_y = i * y.stride + part_y + y.origin;
            const bool is_data = at_z >= 0 && at_z < in_z.in && at_y >= 0 && at_y < in_y.in;
            lay_out_row(is_data ? plane + (at_z * in_y.in + at_y) * in_x.in : nullptr, in_x.in, x, part_x, to);
          }
}

/// Packs what the positions of a block see into the rows of a panel, which are `stride` elements apart.
template <class C>
void pack(const C* layout, std::span<const std::int64_t> seen, std::span<const PositionRun> runs, bool in_pieces, C* to,
          std::int64_t stride) {
  run_vectorised([=](auto) {
    C* row = to;
    for (const std::int64_t element : seen) {
      for (const PositionRun& run : runs) {
        const C* const from = layout + element + run.element;
        C* const target = row + run.column;
        if (in_pieces)
          for (std::int64_t i = 0; i < run.count; i += kPiece) std::copy_n(from + i, kPiece, target + i);
        else
          std::copy_n(from, run.count, target);
      }
      row += stride;
    }
  });
}

/// A pass with what depends on the channels: where in the layout of a group's planes the rows of a panel begin, and
/// which elements of a filter meet them.
struct GroupPass {
  const ConvolutionPass* positions = nullptr;
  std::vector<std::int64_t> seen;
  std::vector<std::int64_t> filter;
};

std::vector<GroupPass> passes_of_group(const ConvolutionPlan& plan, const ConvolutionGeometry& g,
                                       std::int64_t plane_size) {
  const std::int64_t filter_plane = (g.transposed ? g.out_channels : 1) * g.window.kernel_size();
  std::vector<GroupPass> passes;
  for (const ConvolutionPass& positions : plan.passes()) {
    GroupPass& pass = passes.emplace_back(GroupPass{.positions = &positions, .seen = {}, .filter = {}});
    for (std::int64_t i = 0; i < g.in_channels; ++i)
      for (const ConvolutionPass::Seen& seen : positions.seen) {
        pass.seen.push_back(i * plane_size + seen.element);
        pass.filter.push_back(i * filter_plane + seen.kernel_position);
      }
  }
  return passes;
}

/// Scratch of a convolution, all of the type in which it computes.
struct Scratch {
  Tensor layout;   ///< of the planes of one group in one image; no element, if the data are their layout
  Tensor filters;  ///< of one group, interleaved, one pass after the other
  Tensor panel;    ///< empty, if all filters are multiplied with the layout itself
  Tensor block;    ///< results whose places do not lie side by side
};

Expected<Scratch> allocate_scratch(ElementType type, const ConvolutionGeometry& g, const ConvolutionPlan& plan) {
  constexpr auto kAny = HeapBuffer::Content::any;
  Scratch scratch;
  std::int64_t layout = 0;
  if (!plan.is_data()) {
    const Shape shape = plan.layout_shape(g.in_channels);
    const std::optional<std::int64_t> size = element_count(shape);
    if (!size) return Tensor::allocate(type, shape).error();
    layout = *size + kPanelColumns;  // which the last block reads
  }
  const std::int64_t columns = columns_of_block(g);
  const std::int64_t depth = g.in_channels * g.window.kernel_size();
  const bool packs = g.out_channels >= kManyFilters || plan.is_data();  // the end of the data cannot be read beyond
  MO_ASSIGN(scratch.layout, Tensor::allocate(type, {layout}, kAny));
  MO_ASSIGN(scratch.filters, Tensor::allocate(type, {g.out_channels, depth}, kAny));
  MO_ASSIGN(scratch.panel,
            Tensor::allocate(type, {packs ? depth + 1 : 0, columns}, kAny));  // one row for the last piece
  MO_ASSIGN(scratch.block, Tensor::allocate(type, {g.out_channels, columns}, kAny));
  return scratch;
}

template <class C>
class Computation {
 public:
  Computation(const ConvolutionGeometry& g, const ConvolutionPlan& plan, Scratch& scratch)
      : g_(g),
        plan_(plan),
        plane_size_(*element_count(plan.layout_shape(1))),
        passes_(passes_of_group(plan, g, plane_size_)),
        panel_rows_(evenly_spaced(g.in_channels * g.window.kernel_size(), columns_of_block(g))),
        layout_(scratch.layout.mutable_values<C>()),
        filters_(scratch.filters.mutable_values<C>().data()),
        panel_(scratch.panel.mutable_values<C>().data()),
        block_(scratch.block.mutable_values<C>().data()) {}

  void run(std::span<const C> data, const C* filters, C* out) {
    const std::int64_t in_planes = g_.in_channels * g_.window.in_size();
    const std::int64_t out_planes = g_.out_channels * g_.window.out_size();
    for (std::int64_t group = 0; group < g_.groups; ++group) {
      interleave(filters + group * g_.out_channels * g_.in_channels * g_.window.kernel_size());
      for (std::int64_t image = 0; image < g_.batch; ++image) {
        const std::int64_t index = image * g_.groups + group;
        const std::span<const C> planes = data.subspan(static_cast<std::size_t>(index * in_planes));
        run_passes(plan_.is_data() ? planes : laid_out(planes.data()), out + index * out_planes);
      }
    }
  }

 private:
  void interleave(const C* filters) {
    const std::int64_t kernel = g_.window.kernel_size();
    C* to = filters_;
    for (const GroupPass& pass : passes_) {
      interleave_rows(filters, g_.out_channels, g_.transposed ? kernel : g_.in_channels * kernel, pass.filter, to);
      to += g_.out_channels * std::ssize(pass.filter);
    }
  }

  std::span<const C> laid_out(const C* planes) {
    run_vectorised([this, planes](auto) {
      for (std::int64_t i = 0; i < g_.in_channels; ++i)
        lay_out(planes + i * g_.window.in_size(), g_.window, plan_.axes(), layout_.data() + i * plane_size_);
    });
    return layout_;
  }

  void run_passes(std::span<const C> layout, C* out) {
    const C* filters = filters_;
    for (const GroupPass& pass : passes_) {
      const bool in_place = g_.out_channels < kManyFilters;
      PositionBlocks blocks(*pass.positions, plan_, columns_of_block(g_), in_place);
      const std::int64_t last_row = *std::ranges::max_element(pass.seen);
      while (blocks.next()) run_block(pass, blocks, layout, last_row, filters, out);
      filters += g_.out_channels * std::ssize(pass.filter);
    }
  }

  void run_block(const GroupPass& pass, const PositionBlocks& blocks, std::span<const C> layout, std::int64_t last_row,
                 const C* filters, C* out) {
    const std::int64_t out_plane = g_.window.out_size();
    const std::int64_t columns = blocks.columns();
    const PositionRun& first = blocks.runs().front();
    const PositionRun& last = blocks.runs().back();
    const std::int64_t readable = std::ssize(layout) - last_row;  // of the last row
    const std::int64_t read = (columns + kPanelColumns - 1) / kPanelColumns * kPanelColumns;
    const C* panel = layout.data() + first.element;
    std::span<const std::int64_t> rows = pass.seen;
    if (g_.out_channels >= kManyFilters || first.element + read > readable) {
      const bool in_pieces = last.element + last.count + kPiece <= readable;
      pack(layout.data(), rows, blocks.runs(), in_pieces, panel_, columns_of_block(g_));
      panel = panel_;
      rows = std::span(panel_rows_).first(rows.size());
    }
    if (blocks.is_stretch_of_result())
      return multiply_panel(filters, g_.out_channels, panel, rows, out + first.result, out_plane, columns);
    multiply_panel(filters, g_.out_channels, panel, rows, block_, columns_of_block(g_), columns);
    const std::int64_t step = pass.positions->steps[2];
    for (std::int64_t o = 0; o < g_.out_channels; ++o)
      for (const PositionRun& run : blocks.runs()) {
        const C* const from = block_ + o * columns_of_block(g_) + run.column;
        C* const to = out + o * out_plane + run.result;
        if (step == 1)
          std::copy_n(from, run.count, to);
        else
          for (std::int64_t i = 0; i < run.count; ++i) to[i * step] = from[i];
      }
  }

  const ConvolutionGeometry& g_;
  const ConvolutionPlan& plan_;
  std::int64_t plane_size_;
  std::vector<GroupPass> passes_;
  std::vector<std::int64_t> panel_rows_;
  std::span<C> layout_;
  C* filters_;
  C* panel_;
  C* block_;
};

}  // namespace

Expected<void> convolution(const Tensor& data, const Tensor& filters, Tensor& out, const ConvolutionGeometry& g) {
  // Without inputs every sum is empty; the result is zeros already. Also keeps the sizes below bounded by real memory.
  if (out.element_count() == 0 || data.element_count() == 0 || filters.element_count() == 0) return {};
  MO_ASSIGN(const Tensor x, to_compute(data));
  MO_ASSIGN(const Tensor w, to_compute(filters));
  const ConvolutionPlan plan(g);
  MO_ASSIGN(Scratch scratch, allocate_scratch(x.element_type(), g, plan));
  return compute_into(out, [&](Tensor& target) {
    return visit_compute(x.element_type(), [&]<class C>(std::type_identity<C>) -> Expected<void> {
      Computation<C>(g, plan, scratch).run(x.values<C>(), w.values<C>().data(), target.mutable_values<C>().data());
      return {};
    });
  });
}

}  // namespace mo::ops::reference
