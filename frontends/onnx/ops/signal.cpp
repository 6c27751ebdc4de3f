#include <numbers>

#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/build/term.hpp"
#include "ops/fourier.hpp"
#include "ops/pad.hpp"
#include "ops/squeeze.hpp"

namespace mo::onnx {
namespace {

/// w[n] = sum of weights[k] * cos(2 pi k n / length), where a symmetric window has length size - 1.
Translator window_of_cosines(std::vector<double> weights) {
  return [weights = std::move(weights)](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(node.expect_inputs(1));
    MO_ASSIGN(const ElementType type,
              data_type_of_number(node, "output_datatype", node.attr<std::int64_t>("output_datatype", 1)));
    const Term size(rw, as_scalar(rw, as_i64(rw, node.input(0))), ElementType::i64);
    const Term places = count_up(rw, size, ElementType::f32);
    const Term length = (node.attr("periodic", true) ? size : size - 1).as(ElementType::f32);
    Term window = places.number(weights.front());
    for (std::size_t k = 1; k < weights.size(); ++k) {
      const Term turns = places * (2 * std::numbers::pi * static_cast<double>(k)) / length;
      window = window + turns.apply(ops::Cos{}) * weights[k];
    }
    return window.as(type).value();
  };
}

/// The last dimension of x is 1 (real) or 2 (complex); zeros are added to make it 2.
Value as_complex(Rewriter& rw, const Value& x) {
  if (const PartialShape& shape = x.type().shape; shape.size() > 0 && shape[shape.size() - 1] == Dimension(2)) return x;
  const Value zero = rw.scalar<std::int64_t>(0);
  const Value rank = rank_length(rw, x);
  const Value missing = rw.create(ops::Subtract{}, rw.integers({2}), length_along(rw, x, -1));
  const Value others = repeat(rw, zero, rw.create(ops::Subtract{}, rank, rw.integers({1})));
  return rw.create(ops::v1::Pad{}, x, repeat(rw, zero, rank), join(rw, {others, missing}), number_like(rw, x, 0));
}

Value without_last_axis(Rewriter& rw, const Value& x) { return rw.create(ops::Squeeze{}, x, rw.integers({-1})); }

/// The axis of DFT-17 (an attribute) or DFT-20 (input 2, by default the last one of the signal), as the IR counts:
/// without the last dimension, so a negative axis is nearer to the back by one.
Expected<std::int64_t> fourier_axis(const FrameworkNode& node) {
  std::int64_t axis = node.version() < 20 ? node.attr<std::int64_t>("axis", 1) : -2;
  if (node.version() >= 20 && node.has_input(2)) {
    const auto known = single_integer_of(node.input(2));
    if (!known)  // computed from what the user feeds: then not even the shape of the result is known
      return node.error("MO-ONNX-0230", "the axis of the transform is not known before the model runs")
          .hint("make it a constant of the model, or give its value with --input or --freeze_placeholder_with_value");
    axis = *known;
  }
  if (axis == -1)
    return node.error("MO-ONNX-0230", "the axis is the last one, which holds the parts of complex numbers")
        .hint("transform another axis");
  return axis < 0 ? axis + 1 : axis;
}

Replacement dft(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const std::int64_t axis, fourier_axis(node));
  const bool inverse = node.attr("inverse", false);
  const bool onesided = node.attr("onesided", false);
  if (inverse && onesided) {
    // From half of the spectrum of a real signal, back to it.
    std::vector<Value> inputs = {as_complex(rw, node.input(0)), rw.integers({axis})};
    if (node.input(1)) inputs.push_back(as_length(rw, as_i64(rw, node.input(1))));
    return rw.create(ops::Unsqueeze{}, rw.create(ops::IRDFT{}, inputs), rw.integers({-1}));
  }
  Op op = onesided ? Op(ops::RDFT{}) : inverse ? Op(ops::IDFT{}) : Op(ops::DFT{});
  std::vector<Value> inputs = {onesided ? without_last_axis(rw, node.input(0)) : as_complex(rw, node.input(0)),
                               rw.integers({axis})};
  if (node.input(1)) inputs.push_back(as_length(rw, as_i64(rw, node.input(1))));
  return rw.create(std::move(op), inputs);
}

/// Inputs: signal [batch, length, 1 or 2], step, window, length of a frame. Frame f holds the elements f * step … f *
/// step + length - 1.
Replacement stft(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value signal = node.input(0);
  const Value window = node.input(2);
  if (!window && !node.input(3))
    return node.error("MO-ONNX-0223", "neither a window nor frame_length is given")
        .hint("STFT needs one of them for the length of a frame");
  const Value step = as_scalar(rw, as_i64(rw, node.input(1)));
  const Value length = as_scalar(rw, node.input(3) ? as_i64(rw, node.input(3)) : shape_of(rw, window));
  const Value whole = as_scalar(rw, length_along(rw, signal, 1));
  const Value steps = rw.create(ops::Divide{.m_pythondiv = false}, rw.create(ops::Subtract{}, whole, length), step);
  const Value count = rw.create(ops::Add{}, steps, rw.scalar<std::int64_t>(1));
  const Value starts =
      rw.create(ops::Unsqueeze{}, rw.create(ops::Multiply{}, count_up(rw, count, ElementType::i64).value(), step),
                rw.integers({1}));
  const Value places = rw.create(ops::Add{}, starts, count_up(rw, length, ElementType::i64).value());
  Value frames = rw.create(ops::Gather{}, signal, places, rw.scalar<std::int64_t>(1));
  if (window) frames = rw.create(ops::Multiply{}, frames, rw.create(ops::Unsqueeze{}, window, rw.integers({1})));
  if (node.attr("onesided", true)) return rw.create(ops::RDFT{}, without_last_axis(rw, frames), rw.integers({2}));
  return rw.create(ops::DFT{}, as_complex(rw, frames), rw.integers({2}));
}

}  // namespace

void register_signal(OperatorTable& table) {
  table.translate("HannWindow", since(17), window_of_cosines({0.5, -0.5}));
  table.translate("HammingWindow", since(17), window_of_cosines({25.0 / 46.0, -21.0 / 46.0}));
  table.translate("BlackmanWindow", since(17), window_of_cosines({0.42, -0.5, 0.08}));
  // DFT-17: the axis is an attribute; DFT-20: it is input 2.
  table.translate("DFT", versions(17, 19), dft);
  table.translate("DFT", since(20), dft);  // the axis is an input
  table.translate("STFT", since(17), stft);
}

}  // namespace mo::onnx
