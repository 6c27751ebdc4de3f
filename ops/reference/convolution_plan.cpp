#include "ops/reference/convolution_plan.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace mo::ops::reference {
namespace {

/// Positions first + i * step, i < count, of one axis of the result: position i sees element i + shift of a part.
struct AxisPass {
  struct Seen {
    std::int64_t kernel_position = 0;
    std::int64_t part = 0;
    std::int64_t shift = 0;
  };
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
  std::vector<Seen> seen;
};

std::int64_t divided_down(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Position i sees element i * stride + k * dilation - pad_begin of the data at kernel position k.
std::vector<AxisPass> plan_axis(const WindowAxisGeometry& g, AxisLayout& layout) {
  layout.stride = g.stride;
  AxisPass pass{.count = g.out, .seen = {}};
  std::unordered_map<std::int64_t, std::int64_t> numbers;  // of parts
  for (std::int64_t k = 0; k < g.kernel; ++k) {
    const std::int64_t at = k * g.dilation - g.pad_begin;
    if (at >= g.in || at + (g.out - 1) * g.stride < 0) continue;
    const std::int64_t shift = divided_down(at, g.stride);
    const std::int64_t part = at - shift * g.stride;
    const auto [number, is_new] = numbers.try_emplace(part, std::ssize(layout.parts));
    if (is_new) layout.parts.push_back(part);
    pass.seen.push_back({k, number->second, shift});
  }
  return {std::move(pass)};
}

/// The window slides over the result: position o of it sees element (o + pad_begin - k * dilation) / stride of the data
/// at kernel position k, when that is a whole number.
std::vector<AxisPass> plan_transposed_axis(const WindowAxisGeometry& g, AxisLayout& layout) {
  layout.parts = {0};
  std::vector<AxisPass> passes;
  std::unordered_map<std::int64_t, std::size_t> pass_from;  // its first position
  for (std::int64_t k = 0; k < g.kernel; ++k) {
    const std::int64_t at = k * g.dilation - g.pad_begin;
    const std::int64_t shift = -divided_down(at, g.stride);
    const std::int64_t first = at + shift * g.stride;
    if (first >= g.out) continue;
    const std::int64_t count = (g.out - first + g.stride - 1) / g.stride;
    if (shift >= g.in || shift + count <= 0) continue;
    const auto [pass, is_new] = pass_from.try_emplace(first, passes.size());
    if (is_new) passes.push_back({.first = first, .step = g.stride, .count = count, .seen = {}});
    passes[pass->second].seen.push_back({k, 0, shift});
  }
  return passes;
}

/// The layout is as long as the passes need it: at most as the data and twice the result, however large window and
/// padding are, since what never sees data has been left out.
void fit(AxisLayout& layout, std::vector<AxisPass>& passes) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();
  for (const AxisPass& pass : passes)
    for (const AxisPass::Seen& seen : pass.seen) {
      first = std::min(first, seen.shift);
      end = std::max(end, seen.shift + pass.count);
    }
  if (end < first) return;
  layout.origin = first * layout.stride;
  layout.length = end - first;
  for (AxisPass& pass : passes)
    for (AxisPass::Seen& seen : pass.seen) seen.shift -= first;
}

ConvolutionPass pass_of(const std::array<const AxisPass*, 3>& along, const std::array<AxisLayout, 3>& axes,
                        const Window& window) {
  ConvolutionPass pass;
  std::int64_t out_step = 1;
  for (std::size_t i = 3; i-- > 0;) {
    pass.counts[i] = along[i]->count;
    pass.steps[i] = along[i]->step * out_step;
    pass.first += along[i]->first * out_step;
    out_step *= window.axes[i].out;
  }
  // The places of one axis after the other are digits of the number of the kernel position, of the part and of the
  // element in the part.
  struct Place {
    std::int64_t kernel_position = 0;
    std::int64_t part = 0;
    std::int64_t element = 0;
  };
  std::vector<Place> places{{}};
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<Place> longer;
    for (const Place& place : places)
      for (const AxisPass::Seen& seen : along[i]->seen)
        longer.push_back({place.kernel_position * window.axes[i].kernel + seen.kernel_position,
                          place.part * std::ssize(axes[i].parts) + seen.part,
                          place.element * axes[i].length + seen.shift});
    places = std::move(longer);
  }
  const std::int64_t part_size = axes[0].length * axes[1].length * axes[2].length;
  for (const Place& place : places)
    pass.seen.push_back({place.kernel_position, place.part * part_size + place.element});
  return pass;
}

/// Whether a row goes on where the one before ended: in the block, in the layout and in the result.
bool continues(const PositionRun& before, const PositionRun& run, std::int64_t step) {
  return before.column + before.count == run.column && before.element + before.count == run.element &&
         before.result + before.count * step == run.result;
}

}  // namespace

ConvolutionPlan::ConvolutionPlan(const ConvolutionGeometry& geometry) {
  std::array<std::vector<AxisPass>, 3> passes;
  is_data_ = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const WindowAxisGeometry& axis = geometry.window.axes[i];
    passes[i] = geometry.transposed ? plan_transposed_axis(axis, axes_[i]) : plan_axis(axis, axes_[i]);
    fit(axes_[i], passes[i]);
    is_data_ = is_data_ && axes_[i].stride == 1 && axes_[i].origin == 0 && axes_[i].length == axis.in;
  }
  if (!element_count(layout_shape(1))) return;  // more than memory can have
  for (const AxisPass& z : passes[0])
    for (const AxisPass& y : passes[1])
      for (const AxisPass& x : passes[2]) {
        ConvolutionPass pass = pass_of({&z, &y, &x}, axes_, geometry.window);
        if (!pass.seen.empty()) passes_.push_back(std::move(pass));
      }
}

Shape ConvolutionPlan::layout_shape(std::int64_t planes) const {
  Shape shape{planes};
  for (const AxisLayout& axis : axes_) shape.push_back(std::ssize(axis.parts));
  for (const AxisLayout& axis : axes_) shape.push_back(axis.length);
  return shape;
}

PositionBlocks::PositionBlocks(const ConvolutionPass& pass, const ConvolutionPlan& plan, std::int64_t size,
                               bool in_place)
    : pass_(&pass),
      length_y_(plan.axes()[1].length),
      length_x_(plan.axes()[2].length),
      size_(size),
      in_place_(in_place) {}

bool PositionBlocks::next() {
  runs_.clear();
  const auto [depth, height, width] = pass_->counts;
  const auto [step_z, step_y, step_x] = pass_->steps;
  is_stretch_ = step_x == 1;
  for (std::int64_t column = 0; z_ < depth && column < size_;) {
    const std::int64_t count = std::min(width - x_, size_ - column);
    const PositionRun run{.column = column,
                          .count = count,
                          .element = (z_ * length_y_ + y_) * length_x_ + x_,
                          .result = pass_->first + z_ * step_z + y_ * step_y + x_ * step_x};
    if (!runs_.empty() && (columns() != column || run.result - runs_.front().result != column)) is_stretch_ = false;
    if (!runs_.empty() && continues(runs_.back(), run, step_x))
      runs_.back().count += count;
    else
      runs_.push_back(run);
    column += count;
    x_ += count;
    if (x_ < width) continue;
    x_ = 0;
    if (in_place_) column += length_x_ - width;
    if (++y_ < height) continue;
    y_ = 0;
    ++z_;
    if (in_place_) column += (length_y_ - height) * length_x_;
  }
  return !runs_.empty();
}

}  // namespace mo::ops::reference
