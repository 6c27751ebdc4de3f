#include <cmath>
#include <limits>
#include <numbers>

#include "core/tensor/convert.hpp"
#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"

namespace mo::onnx {
namespace {

/// The matrix of MelWeightMatrix computed when the model runs, in f64, because corners are rounded down to whole rows.
Value computed_mel_weights(const FrameworkNode& node, Rewriter& rw, ElementType type) {
  const auto whole = [&](std::size_t i) {
    return Term(rw, as_scalar(rw, as_i64(rw, node.input(i))), ElementType::i64);
  };
  const auto real = [&](std::size_t i) { return term(rw, as_scalar(rw, node.input(i))).as(ElementType::f64); };
  const Term bins = whole(0);
  const Term length = whole(1);
  const auto mel = [](const Term& hertz) {
    return (hertz / 700.0 + 1).apply(ops::Log{}) * (2595 / std::numbers::ln10);
  };
  const Term lowest = mel(real(3));
  const Term step = (mel(real(4)) - lowest) / (bins + 2).as(ElementType::f64);
  const Term mels = count_up(rw, bins + 2, ElementType::f64) * step + lowest;
  const Term powers = mels / 2595.0;
  const Term hertz = (powers.number(10).apply(ops::Power{}, powers) - 1) * 700.0;
  const Term corners = floored((length + 1).as(ElementType::f64) * hertz / real(2));
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    return Term(rw, slice_along(rw, corners, 0, begin, end), ElementType::f64);
  };
  const Term left = part(0, -2);
  const Term center = part(1, -1);
  const Term right = part(2, std::numeric_limits<std::int64_t>::max());
  const Term rows = count_up(rw, length / 2 + 1, ElementType::f64).unsqueezed({1});
  // Both sides of the triangle; one without a width does not limit anything but is 0 outside.
  const Term rising = (rows - left) / larger(center - left, 1);
  const Term falling = (right - rows) / larger(right - center, 1);
  const Term weights = choose(equal(rows, center), rows.number(1), larger(smaller(rising, falling), 0));
  return weights.as(type);
}

/// ONNX MelWeightMatrix-17: triangular filters [dft_length / 2 + 1, bins] whose corners are equally far apart on the
/// mel scale.
Replacement mel_weight_matrix(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(5));
  MO_ASSIGN(const ElementType type,
            data_type_of_number(node, "output_datatype", node.attr<std::int64_t>("output_datatype", 1)));
  double given[5] = {};  // bins, length of the transform, sample rate, lowest and highest frequency
  bool all_known = true;
  for (std::size_t i = 0; i < 5; ++i) {
    const auto number = single_real_of(node.input(i));
    all_known = all_known && number;
    given[i] = number.value_or(0);
  }
  if (!all_known) return computed_mel_weights(node, rw, type);
  constexpr double kMost = 1 << 20;
  const auto [bins, length, rate, low, high] = given;
  if (!(bins >= 1 && bins <= kMost && length >= 1 && length <= kMost && (length / 2 + 1) * bins <= 1 << 26 &&
        rate >= 1 && low >= 0 && high >= low && high <= rate))
    return node
        .error("MO-ONNX-0232", "no filters: {} bins, transform {}, rate {}, {} to {} Hz", bins, length, rate, low, high)
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
    for (std::int64_t row = center; row < right; ++row)
      set(row, i, static_cast<double>(right - row) / static_cast<double>(right - center));
  }
  MO_ASSIGN(Tensor matrix, from_reals(type, {rows, columns}, weights));
  return rw.constant(std::move(matrix));
}

}  // namespace

void register_mel_weight_matrix(OperatorTable& table) {
  table.translate("MelWeightMatrix", since(17), mel_weight_matrix);
}

}  // namespace mo::onnx
