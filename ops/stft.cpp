#include "ops/stft.hpp"

#include <cmath>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/fourier.hpp"
#include "ops/reference/transpose.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {
namespace {

Diagnostic unfit(const InferContext& ctx, std::string what) {
  return ctx.error("MO-OPS-0476", "{}", what)
      .hint(
          "a frame has one to as many elements as the signal, and at least as many as the window; the step is above 0");
}

Expected<void> check_frames(const InferContext& ctx, const Dimension& size, const Dimension& step,
                            const PartialShape& window) {
  if (size.is_known() && size.value() == 0) return unfit(ctx, "a frame has no elements");
  if (step.is_known() && step.value() == 0) return unfit(ctx, "the step between frames is 0");
  if (size.is_known() && window.has_rank() && window[0].is_known() && window[0].value() > size.value())
    return unfit(ctx, fmt::format("a window of {} elements for frames of {}", window[0].value(), size.value()));
  return {};
}

/// `frames` [B, frames, size] of f64: the parts of `signal` [B, S] times the window.
void cut_frames(const Tensor& signal, const Tensor& window, std::int64_t step, Tensor& frames) {
  const auto from = signal.values<double>();
  const auto weights = window.values<double>();
  const auto to = frames.mutable_values<double>();
  const std::int64_t length = signal.shape()[1];
  const std::int64_t size = frames.shape()[2];
  const std::int64_t before = (size - static_cast<std::int64_t>(weights.size())) / 2;  // zeros of the window
  std::size_t next = 0;
  for (std::int64_t batch = 0; batch < frames.shape()[0]; ++batch)
    for (std::int64_t frame = 0; frame < frames.shape()[1]; ++frame)
      for (std::int64_t i = 0; i < size; ++i, ++next) {
        const std::int64_t at = i - before;
        if (at < 0 || at >= static_cast<std::int64_t>(weights.size())) continue;
        to[next] =
            from[static_cast<std::size_t>(batch * length + frame * step + i)] * weights[static_cast<std::size_t>(at)];
      }
}

}  // namespace

Expected<void> STFT::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(4));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1}));
  MO_TRY(expect_indices(ctx, {2, 3}));
  MO_TRY(ctx.expect_rank(0, 1, 2));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_ASSIGN(const Dimension size, described_size(ctx, 2));
  MO_ASSIGN(const Dimension step, described_size(ctx, 3));
  const PartialShape& signal = ctx.input_shape(0);
  const PartialShape& window = ctx.input_shape(1);
  MO_TRY(check_frames(ctx, size, step, window));
  if (!signal.has_rank()) {
    ctx.output(0, type, PartialShape::unknown_rank());
    return {};
  }
  const Dimension& length = signal[signal.size() - 1];
  Dimension frames;
  if (size.is_known() && step.is_known() && length.is_known()) {
    if (size.value() > length.value())
      return unfit(ctx, fmt::format("frames of {} elements in a signal of {}", size.value(), length.value()));
    frames = Dimension((length.value() - size.value()) / step.value() + 1);
  } else if (size.is_known() && step.is_known()) {
    frames = (length - size).floor_div(step.value()) + Dimension(1);
  }
  const Dimension bins = size.is_known() ? Dimension(size.value() / 2 + 1) : Dimension();
  std::vector<Dimension> dims;
  if (signal.size() == 2) dims.push_back(signal[0]);
  dims.push_back(transpose_frames ? bins : frames);
  dims.push_back(transpose_frames ? frames : bins);
  dims.emplace_back(2);
  ctx.output(0, type, PartialShape(std::move(dims)));
  return {};
}

Expected<void> STFT::evaluate(EvalContext& ctx) const {
  const Tensor& given = ctx.input(0);
  MO_ASSIGN(const std::vector<std::int64_t> size, ctx.integers(2));
  MO_ASSIGN(const std::vector<std::int64_t> step, ctx.integers(3));
  const Shape shape = ctx.output(0).shape();  // inference has checked the sizes
  MO_ASSIGN(Tensor signal, convert(given, ElementType::f64));
  MO_ASSIGN(const Tensor window, convert(ctx.input(1), ElementType::f64));
  const std::int64_t batch = given.rank() == 2 ? given.shape()[0] : 1;
  signal = signal.reshaped({batch, given.shape().back()});
  const std::int64_t count = (given.shape().back() - size[0]) / step[0] + 1;
  MO_ASSIGN(Tensor frames, Tensor::allocate(ElementType::f64, {batch, count, size[0]}));
  cut_frames(signal, window, step[0], frames);
  MO_ASSIGN(Tensor numbers, reference::with_imaginary(frames));
  MO_ASSIGN(numbers, reference::fourier(numbers, 2, size[0], false));
  const std::int64_t bins = size[0] / 2 + 1;
  MO_ASSIGN(numbers, reference::resized(numbers, 2, bins));
  if (transpose_frames) {
    MO_ASSIGN(Tensor turned, Tensor::allocate(ElementType::f64, {batch, bins, count, 2}));
    reference::transpose(numbers, {0, 2, 1, 3}, turned);
    numbers = std::move(turned);
  }
  MO_ASSIGN(numbers, convert(numbers, given.element_type()));
  ctx.set_output(0, numbers.reshaped(shape));
  return {};
}

Expected<void> ISTFT::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(4, 5));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_ASSIGN(const ElementType type, common_element_type(ctx, {0, 1}));
  MO_TRY(expect_indices(ctx, {2, 3, 4}));
  MO_TRY(ctx.expect_rank(0, 3, 4));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_ASSIGN(const Dimension size, described_size(ctx, 2));
  MO_ASSIGN(const Dimension step, described_size(ctx, 3));
  MO_TRY(check_frames(ctx, size, step, ctx.input_shape(1)));
  const PartialShape& numbers = ctx.input_shape(0);
  if (!numbers.has_rank()) {
    ctx.output(0, type, PartialShape::unknown_rank());
    return {};
  }
  const std::size_t rank = numbers.size();
  if (!numbers[rank - 1].compatible(2) || (size.is_known() && !numbers[rank - 3].compatible(size.value() / 2 + 1)))
    return ctx
        .error("MO-OPS-0476", "{} are not the complex numbers of frames of {}", numbers.to_string(), size.to_string())
        .hint("the data are [batch, frame size / 2 + 1, frames, 2]");
  Dimension length;
  if (ctx.has_input(4)) {
    length = scalar_element(ctx, 4);
    if (length.is_known() && length.value() < 0)
      return unfit(ctx, fmt::format("a signal of {} elements", length.value()));
  } else if (size.is_known() && step.is_known()) {
    length = (numbers[rank - 2] - Dimension(1)) * step + (center ? Dimension(0) : size);
  }
  std::vector<Dimension> dims;
  if (rank == 4) dims.push_back(numbers[0]);
  dims.push_back(length);
  ctx.output(0, type, PartialShape(std::move(dims)));
  return {};
}

Expected<void> ISTFT::evaluate(EvalContext& ctx) const {
  const Tensor& given = ctx.input(0);
  MO_ASSIGN(const std::vector<std::int64_t> sizes, ctx.integers(2));
  MO_ASSIGN(const std::vector<std::int64_t> steps, ctx.integers(3));
  const std::int64_t size = sizes[0];
  const std::int64_t step = steps[0];
  const Shape shape = ctx.output(0).shape();
  const std::size_t rank = given.rank();
  const std::int64_t batch = rank == 4 ? given.shape()[0] : 1;
  const std::int64_t count = given.shape()[rank - 2];
  MO_ASSIGN(Tensor numbers, convert(given, ElementType::f64));
  numbers = numbers.reshaped({batch, size / 2 + 1, count, 2});
  MO_ASSIGN(numbers, reference::mirrored(numbers, 1, size));
  MO_ASSIGN(numbers, reference::fourier(numbers, 1, size, true));
  MO_ASSIGN(const Tensor frames, reference::real_part(numbers));  // [batch, size, count]
  MO_ASSIGN(const Tensor window, convert(ctx.input(1), ElementType::f64));
  const auto from = frames.values<double>();
  const auto weights = window.values<double>();
  const auto width = static_cast<std::int64_t>(weights.size());
  const std::int64_t before = (size - width) / 2;
  const std::int64_t dropped = center ? size / 2 : 0;
  const std::int64_t length = shape.back();
  const double factor = normalized ? std::sqrt(static_cast<double>(size)) : 1;
  MO_ASSIGN(Tensor signal, Tensor::allocate(ElementType::f64, {batch, length}));
  const auto to = signal.mutable_values<double>();
  std::vector<double> squares(static_cast<std::size_t>(length));
  const auto each = [&](const auto& add) {
    // Later frames begin after the end of the signal; their places may be beyond what an integer holds.
    for (std::int64_t frame = 0; frame < count && frame <= (length + dropped) / step; ++frame)
      for (std::int64_t i = 0; i < width; ++i)
        if (const std::int64_t at = frame * step + before + i - dropped; at >= 0 && at < length)
          add(static_cast<std::size_t>(at), frame, before + i, weights[static_cast<std::size_t>(i)]);
  };
  each([&](std::size_t at, std::int64_t, std::int64_t, double weight) { squares[at] += weight * weight; });
  for (std::int64_t b = 0; b < batch; ++b) {
    const std::span<double> row = to.subspan(static_cast<std::size_t>(b * length), static_cast<std::size_t>(length));
    each([&](std::size_t at, std::int64_t frame, std::int64_t i, double weight) {
      row[at] += from[static_cast<std::size_t>((b * size + i) * count + frame)] * weight * factor;
    });
    for (std::size_t at = 0; at < row.size(); ++at)
      if (squares[at] != 0) row[at] /= squares[at];
  }
  MO_ASSIGN(signal, convert(signal, given.element_type()));
  ctx.set_output(0, signal.reshaped(shape));
  return {};
}

void register_stft(OpRegistry& registry) {
  registry.add<STFT>();
  registry.add<ISTFT>();
}

}  // namespace mo::ops
