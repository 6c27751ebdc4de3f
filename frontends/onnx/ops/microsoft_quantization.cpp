#include "frontends/onnx/ops/support/channels.hpp"
#include "frontends/onnx/ops/support/convolution.hpp"
#include "frontends/onnx/ops/support/linear_quantization.hpp"
#include "frontends/onnx/ops/support/pooling.hpp"
#include "frontends/onnx/ops/support/quantize.hpp"
#include "frontends/onnx/ops/support/quantized_result.hpp"
#include "frontends/onnx/ops/support/required_inputs.hpp"
#include "frontends/onnx/ops/support/softmax_of_rows.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/activations.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"
#include "ops/soft_max.hpp"

namespace mo::onnx {
namespace {

/// The axis is only given when there is a scale for each place along it.
Expected<QuantizationLayout> microsoft_layout(const FrameworkNode& node) {
  node.ignore({"saturate"}, "it concerns 8-bit floating-point results, which are not supported");
  if (node.attr<std::int64_t>("block_size", 0) != 0)
    return node.error("MO-ONNX-0444", "block_size is given")
        .hint("use the operator of the default domain, opset 21, for blocks");
  return QuantizationLayout{.axis = node.optional_attr<std::int64_t>("axis")};
}

/// Two quantised inputs, inputs 6 and 7 describe the result; zero points may be left out. The sum of real numbers /
/// y_scale is rounded.
Replacement quantized_add(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 1, 3, 4, 6}));
  return quantized_result(node, rw, rw.create(ops::Add{}, real_input(node, rw, 0), real_input(node, rw, 3)), 6,
                          {2, 5, 0, 3});
}

/// The same inputs: a whole number, (a - a_zero) * (b - b_zero), times a_scale * b_scale / y_scale is rounded.
Replacement quantized_multiply(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 1, 3, 4, 6}));
  MO_ASSIGN(const ElementType type, quantized_type(node, 7, {2, 5, 0, 3}));
  const Value a = without_zero_point(rw, node.input(0), node.input(2), ElementType::f32);
  const Value b = without_zero_point(rw, node.input(3), node.input(5), ElementType::f32);
  const Value scale = rw.create(ops::Divide{}, rw.create(ops::Multiply{}, node.input(1), node.input(4)), node.input(6));
  return round_to(rw, rw.create(ops::Multiply{}, rw.create(ops::Multiply{}, a, b), scale), node.input(7), type);
}

/// Inputs: condition, two quantised ones, scale and zero point of the result.
Replacement quantized_where(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 1, 2, 4, 5, 7}));
  const Value y = rw.create(ops::Select{}, node.input(0), real_input(node, rw, 1), real_input(node, rw, 4));
  return quantized_result(node, rw, y, 7, {3, 6, 1, 4});
}

/// A quantised input, inputs 3 and 4 describe the result. `fn` gives the function of the real input.
Translator quantized_unary(std::function<Expected<Value>(const FrameworkNode&, Rewriter&, const Value&)> fn) {
  return [fn = std::move(fn)](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(require_inputs(node, {0, 1, 3}));
    MO_ASSIGN(const Value y, fn(node, rw, real_input(node, rw, 0)));
    return quantized_result(node, rw, y, 3, {2, 0});
  };
}

Expected<Value> real_sigmoid(const FrameworkNode&, Rewriter& rw, const Value& x) {
  return rw.create(ops::Sigmoid{}, x);
}

/// `opset` says by which version of ONNX's Softmax the axis counts: until 12 the data are a matrix that is split there.
Expected<Value> real_softmax(const FrameworkNode& node, Rewriter& rw, const Value& x) {
  const bool of_rows = node.attr<std::int64_t>("opset", 13) < 13;
  const auto axis = node.attr<std::int64_t>("axis", of_rows ? 1 : -1);
  if (of_rows) return softmax_of_rows(node, rw, x, axis, false);
  return rw.create(ops::SoftMax{.axis = axis}, x);
}

Expected<Value> real_leaky_relu(const FrameworkNode& node, Rewriter& rw, const Value& x) {
  return rw.create(ops::PReLU{}, x, number_like(rw, x, node.attr("alpha", 0.01)));
}

/// QLinearGlobalAveragePool: the sum of x - x_zero, whole numbers, times x_scale / (y_scale * count) is rounded.
Replacement quantized_global_average(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 1, 3}));
  MO_ASSIGN(const ElementType type, quantized_type(node, 4, {2, 0}));
  const bool last = node.attr("channels_last", false);
  const Value x = without_zero_point(rw, node.input(0), node.input(2), ElementType::f32);
  Value axes = axes_from(rw, node.input(0), last ? 1 : 2);
  if (last) axes = slice_along(rw, axes, 0, 0, -1);
  const Value lengths = rw.create(ops::Gather{}, shape_of(rw, node.input(0)), axes, rw.scalar<std::int64_t>(0));
  const Value count = rw.create(ops::ReduceProd{.keep_dims = false}, lengths, rw.integers({0}));
  const Value scale = rw.create(ops::Divide{}, node.input(1),
                                rw.create(ops::Multiply{}, node.input(3), as_type_of(rw, count, node.input(3))));
  return round_to(rw, rw.create(ops::Multiply{}, rw.create(ops::ReduceSum{.keep_dims = true}, x, axes), scale),
                  node.input(4), type);
}

Expected<Value> real_mean(const FrameworkNode& node, Rewriter& rw, const Value& x) {
  const auto axes = node.attr("axes", std::vector<std::int64_t>{});
  return rw.create(ops::ReduceMean{.keep_dims = node.attr("keepdims", true)}, x,
                   axes.empty() ? axes_from(rw, x, 0) : rw.integers(axes));
}

Expected<Value> real_average(const FrameworkNode& node, Rewriter& rw, const Value& x) {
  MO_ASSIGN(const Window window, pooling_window(node));
  const std::size_t rank = window.spatial_rank() + 2;
  const bool last = node.attr("channels_last", false);
  Op op = average_pool_op(window, rounding_of(node, window), !node.attr("count_include_pad", false));
  const Value y = rw.create(std::move(op), last ? channels_to_first(rw, x, rank) : x);
  return last ? channels_to_last(rw, y, rank) : y;
}

/// Inputs: scale and zero point of the result, then three for each part.
Replacement quantized_concat(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(require_inputs(node, {0, 2, 3}));
  std::vector<Value> parts;
  for (std::size_t i = 2; i + 1 < node.input_count(); i += 3) {
    MO_TRY(require_inputs(node, {i, i + 1}));
    parts.push_back(real_input(node, rw, i));
  }
  return quantized_result(node, rw, rw.create(ops::Concat{.axis = node.required<std::int64_t>("axis")}, parts), 0,
                          {4, 2});
}

/// QLinearConv; with channels_last, the filters are in the order of ONNX all the same.
Replacement quantized_conv(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(8));
  const bool last = node.attr("channels_last", false);
  MO_ASSIGN(const Window window, convolution_window(node, node.input(3)));
  const std::size_t rank = window.spatial_rank() + 2;
  MO_ASSIGN(const Value y,
            make_quantized_convolution(node, rw, last ? channels_to_first(rw, node.input(0), rank) : node.input(0)));
  return last ? channels_to_last(rw, y, rank) : y;
}

}  // namespace

/// Quantised operators of ONNX Runtime (domain com.microsoft).
void register_microsoft_quantization(OperatorTable& table) {
  table.translate("com.microsoft::QuantizeLinear", since(1),
                  [](const FrameworkNode& node, Rewriter& rw) -> Replacement {
                    MO_ASSIGN(const QuantizationLayout layout, microsoft_layout(node));
                    return quantize_linear(node, rw, layout);
                  });
  table.translate("com.microsoft::DequantizeLinear", since(1),
                  [](const FrameworkNode& node, Rewriter& rw) -> Replacement {
                    MO_ASSIGN(const QuantizationLayout layout, microsoft_layout(node));
                    return dequantize_linear(node, rw, layout);
                  });
  table.translate("com.microsoft::QLinearAdd", since(1), quantized_add);
  table.translate("com.microsoft::QLinearMul", since(1), quantized_multiply);
  table.translate("com.microsoft::QLinearWhere", since(1), quantized_where);
  table.translate("com.microsoft::QLinearSigmoid", since(1), quantized_unary(real_sigmoid));
  table.translate("com.microsoft::QLinearSoftmax", since(1), quantized_unary(real_softmax));
  table.translate("com.microsoft::QLinearLeakyRelu", since(1), quantized_unary(real_leaky_relu));
  table.translate("com.microsoft::QLinearGlobalAveragePool", since(1), quantized_global_average);
  table.translate("com.microsoft::QLinearAveragePool", since(1), quantized_unary(real_average));
  table.translate("com.microsoft::QLinearReduceMean", since(1), quantized_unary(real_mean));
  table.translate("com.microsoft::QLinearConcat", since(1), quantized_concat);
  table.translate("com.microsoft::QLinearConv", since(1), quantized_conv);
}

}  // namespace mo::onnx
