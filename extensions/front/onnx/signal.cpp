#include <cmath>
#include <limits>
#include <numbers>

#include "core/tensor/convert.hpp"
#include "extensions/support/term.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/fourier.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"
#include "ops/range.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::onnx {
namespace {

/// w[n] = sum of weights[k] * cos(2 pi k n / length), where a symmetric window has length size - 1.
Replacement replace_window(const Node& node, Rewriter& rw) {
  const auto weights = node.attr<std::vector<double>>("weights");
  if (!node.input(0) || !weights || weights->empty()) return missing_input(node);
  const Value size = as_scalar(rw, as_i64(rw, node.input(0)));
  const auto to_real = [&](const Value& x) { return rw.create(ops::Convert{.destination_type = ElementType::f32}, x); };
  const Value places = count_up(rw, size, ElementType::f32);
  const bool periodic = node.attr<bool>("periodic").value_or(true);
  const Value length = to_real(periodic ? size : rw.create(ops::Subtract{}, size, rw.scalar<std::int64_t>(1)));
  Value window;
  for (std::size_t k = 1; k < weights->size(); ++k) {
    const Value turns = rw.create(
        ops::Divide{}, rw.create(ops::Multiply{}, places, rw.scalar(static_cast<float>(2 * std::numbers::pi * static_cast<double>(k)))), length);
    const Value term = rw.create(ops::Multiply{}, rw.create(ops::Cos{}, turns), rw.scalar(static_cast<float>((*weights)[k])));
    window = rw.create(ops::Add{}, window ? window : rw.scalar(static_cast<float>(weights->front())), term);
  }
  return rw.create(ops::Convert{.destination_type = node.attr<ElementType>("type").value_or(ElementType::f32)}, window);
}

/// The last dimension of x is 1 (real) or 2 (complex); zeros are added to make it 2.
Value as_complex(Rewriter& rw, const Value& x) {
  const Value zero = rw.scalar<std::int64_t>(0);
  const Value rank = rank_length(rw, x);
  const Value missing = rw.create(ops::Subtract{}, rw.integers({2}), length_along(rw, x, -1));
  const Value others = repeat(rw, zero, rw.create(ops::Subtract{}, rank, rw.integers({1})));
  return rw.create(ops::Pad{}, x, repeat(rw, zero, rank), join(rw, {others, missing}), number_like(rw, x, 0));
}

Value without_last(Rewriter& rw, const Value& x) { return rw.create(ops::Squeeze{}, x, rw.integers({-1})); }

/// The axis of DFT-17 (an attribute) or DFT-20 (input 2, by default the last one of the signal), as the IR counts: without the last
/// dimension, so a negative axis is nearer to the back by one.
Expected<std::int64_t> fourier_axis(const Node& node) {
  std::int64_t axis = node.attr<std::int64_t>("axis").value_or(-2);
  if (!node.has_attr("axis") && node.input(2)) {
    const auto known = known_integers(node.input(2));
    if (!known || known->size() != 1)
      return node.error("MO-ONNX-0230", "the axis of the transform is not known").hint("make it a constant in the model");
    axis = known->front();
  }
  if (axis == -1)
    return node.error("MO-ONNX-0230", "the axis is the last one, which holds the parts of complex numbers").hint("transform another axis");
  return axis < 0 ? axis + 1 : axis;
}

Replacement replace_dft(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  if (!x) return missing_input(node);
  auto axis = fourier_axis(node);
  if (!axis) return std::move(axis).error();
  const bool inverse = node.attr<bool>("inverse").value_or(false);
  const bool onesided = node.attr<bool>("onesided").value_or(false);
  if (inverse && onesided)
    return node.error("MO-ONNX-0231", "onesided does not go with inverse").hint("ONNX DFT defines one-sided results of forward transforms only");
  Op op = onesided ? Op(ops::RDFT{}) : inverse ? Op(ops::IDFT{}) : Op(ops::DFT{});
  const Value signal = onesided ? without_last(rw, x) : as_complex(rw, x);
  if (!node.input(1)) return rw.create(std::move(op), signal, rw.integers({*axis}));
  return rw.create(std::move(op), signal, rw.integers({*axis}), as_length(rw, as_i64(rw, node.input(1))));
}

/// Inputs: signal [batch, length, 1 or 2], step, window, length of a frame. Frame f holds the elements f * step … f * step + length - 1.
Replacement replace_stft(const Node& node, Rewriter& rw) {
  const Value signal = node.input(0);
  const Value window = node.input(2);
  if (!signal || !node.input(1)) return missing_input(node);
  if (!window && !node.input(3))
    return node.error("MO-ONNX-0223", "neither a window nor frame_length is given").hint("STFT needs one of them to know the length of a frame");
  const Value step = as_scalar(rw, as_i64(rw, node.input(1)));
  const Value length = as_scalar(rw, node.input(3) ? as_i64(rw, node.input(3)) : shape_of(rw, window));
  const Value whole = as_scalar(rw, length_along(rw, signal, 1));
  const Value steps = rw.create(ops::Divide{.m_pythondiv = false}, rw.create(ops::Subtract{}, whole, length), step);
  const Value count = rw.create(ops::Add{}, steps, rw.scalar<std::int64_t>(1));
  const Value starts = rw.create(ops::Unsqueeze{}, rw.create(ops::Multiply{}, count_up(rw, count, ElementType::i64).value(), step), rw.integers({1}));
  const Value places = rw.create(ops::Add{}, starts, count_up(rw, length, ElementType::i64).value());
  Value frames = rw.create(ops::Gather{}, signal, places, rw.scalar<std::int64_t>(1));
  if (window) frames = rw.create(ops::Multiply{}, frames, rw.create(ops::Unsqueeze{}, window, rw.integers({1})));
  if (node.attr<bool>("onesided").value_or(true)) return rw.create(ops::RDFT{}, without_last(rw, frames), rw.integers({2}));
  return rw.create(ops::DFT{}, as_complex(rw, frames), rw.integers({2}));
}

/// The matrix of MelWeightMatrix computed when the model runs, in f64, because corners are rounded down to whole rows.
Value computed_mel_weights(const Node& node, Rewriter& rw) {
  const auto whole = [&](std::size_t i) { return Term(rw, as_scalar(rw, as_i64(rw, node.input(i))), ElementType::i64); };
  const auto real = [&](std::size_t i) { return Term(rw, as_scalar(rw, node.input(i)), ElementType::dynamic).as(ElementType::f64); };
  const Term bins = whole(0);
  const Term length = whole(1);
  const auto mel = [](const Term& hertz) { return (hertz / 700.0 + 1).apply(ops::Log{}) * (2595 / std::numbers::ln10); };
  const Term lowest = mel(real(3));
  const Term step = (mel(real(4)) - lowest) / (bins + 2).as(ElementType::f64);
  const Term mels = count_up(rw, bins + 2, ElementType::f64) * step + lowest;
  const Term powers = mels / 2595.0;
  const Term hertz = (powers.number(10).apply(ops::Power{}, powers) - 1) * 700.0;
  const Term corners = floored((length + 1).as(ElementType::f64) * hertz / real(2));
  const auto part = [&](std::int64_t begin, std::int64_t end) { return Term(rw, slice_along(rw, corners, 0, begin, end), ElementType::f64); };
  const Term left = part(0, -2);
  const Term center = part(1, -1);
  const Term right = part(2, std::numeric_limits<std::int64_t>::max());
  const Term rows = count_up(rw, length / 2 + 1, ElementType::f64).unsqueezed({1});
  // Both sides of the triangle; one without a width does not limit anything but is 0 outside.
  const Term rising = (rows - left) / larger(center - left, 1);
  const Term falling = (right - rows) / larger(right - center, 1);
  const Term weights = choose(equal(rows, center), rows.number(1), larger(smaller(rising, falling), 0));
  return weights.as(node.attr<ElementType>("type").value_or(ElementType::f32));
}

/// ONNX MelWeightMatrix-17: triangular filters [dft_length / 2 + 1, bins] whose corners are equally far apart on the mel scale.
Replacement replace_mel_weight_matrix(const Node& node, Rewriter& rw) {
  double given[5] = {};  // bins, length of the transform, sample rate, lowest and highest frequency
  bool all_known = true;
  for (std::size_t i = 0; i < 5; ++i) {
    if (!node.input(i)) return missing_input(node);
    const auto number = known_reals(node.input(i));
    all_known = all_known && number && number->size() == 1;
    if (all_known) given[i] = number->front();
  }
  if (!all_known) return computed_mel_weights(node, rw);
  constexpr double kMost = 1 << 20;
  const auto [bins, length, rate, low, high] = given;
  if (!(bins >= 1 && bins <= kMost && length >= 1 && length <= kMost && (length / 2 + 1) * bins <= 1 << 26 && rate >= 1 && low >= 0 && high >= low &&
        high <= rate))
    return node.error("MO-ONNX-0232", "no filters: {} bins, transform {}, rate {}, {} to {} Hz", bins, length, rate, low, high)
        .hint("check the inputs of MelWeightMatrix");
  const auto mel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  const auto columns = static_cast<std::int64_t>(bins);
  const auto rows = static_cast<std::int64_t>(length) / 2 + 1;
  const double step = (mel(high) - mel(low)) / static_cast<double>(columns + 2);
  std::vector<std::int64_t> corners;
  for (std::int64_t i = 0; i < columns + 2; ++i) {
    const double hertz = 700 * (std::pow(10.0, (static_cast<double>(i) * step + mel(low)) / 2595) - 1);
    corners.push_back(static_cast<std::int64_t>(std::floor((length + 1) * hertz / rate)));
    if (corners.back() < 0 || corners.back() > rows)
      return node.error("MO-ONNX-0232", "filter {} lies outside of the transform", i)
          .hint("the highest frequency is at most half of the sample rate");
  }
  std::vector<double> weights(static_cast<std::size_t>(rows * columns));
  const auto set = [&](std::int64_t row, std::int64_t column, double weight) {
    if (row < rows) weights[static_cast<std::size_t>(row * columns + column)] = weight;
  };
  for (std::int64_t i = 0; i < columns; ++i) {
    const std::int64_t left = corners[static_cast<std::size_t>(i)];
    const std::int64_t center = corners[static_cast<std::size_t>(i) + 1];
    const std::int64_t right = corners[static_cast<std::size_t>(i) + 2];
    if (center == left) set(center, i, 1);
    for (std::int64_t row = left; row <= center && center > left; ++row)
      set(row, i, static_cast<double>(row - left) / static_cast<double>(center - left));
    for (std::int64_t row = center; row < right; ++row) set(row, i, static_cast<double>(right - row) / static_cast<double>(right - center));
  }
  auto matrix = from_reals(node.attr<ElementType>("type").value_or(ElementType::f32), {rows, columns}, weights);
  if (!matrix) return std::move(matrix).error();
  return rw.constant(*std::move(matrix));
}

}  // namespace

void register_signal(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxWindow").replace_op(replace_window));
  passes.add(front_replacement_op("OnnxDFT").replace_op(replace_dft));
  passes.add(front_replacement_op("OnnxSTFT").replace_op(replace_stft));
  passes.add(front_replacement_op("OnnxMelWeightMatrix").replace_op(replace_mel_weight_matrix));
}

}  // namespace mo::front::onnx
