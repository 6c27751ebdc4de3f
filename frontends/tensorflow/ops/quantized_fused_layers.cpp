#include "frontends/tensorflow/ops/support/convolution.hpp"
#include "frontends/tensorflow/ops/support/quantized_numbers.hpp"
#include "ops/mat_mul.hpp"

namespace mo::tensorflow {
namespace {

/// What the name of a fused layer says.
struct FusedLayer {
  bool depthwise = false;
  bool bias = false;
  bool sum = false;  ///< another quantised tensor is added
  bool relu = false;
  bool requantize = false;
  bool dequantize = false;
};

/// Everything after the sums of products, which are whole numbers of `unit` (a number, or one for each channel).
struct Tail {
  FusedLayer layer;
  std::size_t bias_input = 2;
  std::size_t wanted_input = 0;  ///< the lower end of the range of the result
  std::size_t summand_input = 0;
};

/// (sum + bias) * unit [+ summand] -> ReLU -> integers of the wanted range, real numbers, or sums of 32 bits
Expected<Outputs> finished(const FrameworkNode& node, Rewriter& rw, const Tail& tail, Term sum, const Term& unit) {
  const FusedLayer& layer = tail.layer;
  if (layer.bias) {
    const Term bias = term(rw, node.input(tail.bias_input));
    // A bias of 32 bits has the unit of the sums.
    sum = sum + (bias.type() == ElementType::i32 ? bias.as(ElementType::f32) : rounded_away(bias / unit));
  }
  const ElementType usual = layer.dequantize    ? ElementType::f32
                            : !layer.requantize ? ElementType::i32
                            : layer.relu        ? ElementType::u8
                                                : ElementType::i8;
  const ElementType type = node.attr("out_type", node.attr("Toutput", usual));
  if (!layer.requantize && type != usual)
    return node.error("MO-TF-0652", "the type of the result is {}, expected {}", to_string(type), to_string(usual))
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  const auto positive = [&](const Term& x) { return layer.relu ? larger(x, 0) : x; };
  if (layer.dequantize) return Outputs{positive(sum) * unit};
  if (!layer.requantize) {
    const RealRange range = range_of_sums(unit);
    return Outputs{positive(sum).as(ElementType::i32), range.low, range.high};
  }
  if (!is_integral(type) || bit_width(type) != 8)
    return node.error("MO-TF-0652", "the type of the result is {}, expected an integer of 8 bits", to_string(type))
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  const RealRange wanted = range_at(node, rw, tail.wanted_input);
  const QuantizedLevels levels = scaled_levels_of(type, wanted);
  Term scaled = sum * (unit * levels.scale);
  if (layer.sum) {
    MO_ASSIGN(const ElementType own, quantised_input(node, tail.summand_input));
    const QuantizedLevels summand = scaled_levels_of(own, range_at(node, rw, tail.summand_input + 1));
    scaled = scaled + summand.whole(node.input(tail.summand_input)) * (summand.step * levels.scale);
  }
  const IntegerRange integers = all_integers(type);
  const Term whole = positive(scaled).apply(ops::Round{.mode = ops::RoundMode::half_to_even});
  return Outputs{whole.apply(ops::Clamp{.min = integers.lowest, .max = integers.highest}).as(type), wanted.low,
                 wanted.high};
}

/// QuantizedConv2D… of oneDNN: integers around 0 (mode SCALED). Inputs: x, w, [bias], range of x, range of w (of each
/// filter), [wanted range], [summand, its range].
Translator fused_conv(FusedLayer layer) {
  return [=](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    node.ignore({"Tinput", "Tfilter", "Tbias", "Tsummand"}, "types of the inputs");
    const std::size_t ranges = layer.bias ? 3 : 2;
    const Tail tail{.layer = layer, .wanted_input = ranges + 4, .summand_input = ranges + 6};
    MO_TRY(node.expect_inputs(ranges + 4 + (layer.requantize ? 2 : 0) + (layer.sum ? 3 : 0)));
    MO_ASSIGN(const ElementType x_type, quantised_input(node, 0));
    MO_ASSIGN(const ElementType w_type, quantised_input(node, 1));
    if (!node.attr("padding_list", std::vector<std::int64_t>{}).empty())
      return node.error("MO-TF-0623", "padding_list is given")
          .hint("the padding is SAME or VALID; export the model without fused padding");
    MO_ASSIGN(const SpatialWindow window, convolution_window(node, 2));
    const QuantizedLevels x = scaled_levels_of(x_type, range_at(node, rw, ranges));
    const QuantizedLevels w = scaled_levels_of(w_type, range_at(node, rw, ranges + 2));
    const Value sum = convolved(rw, x.whole(node.input(0)), w.whole_weights(node.input(1)), window, layer.depthwise);
    MO_ASSIGN(Outputs made, finished(node, rw, tail, Term(rw, sum, ElementType::f32), x.step * w.step));
    return made;
  };
}

/// QuantizedMatMul… of oneDNN. Inputs: a, b, bias, range of a, range of b, [wanted range]. a is of mode MIN_FIRST (by
/// default) or SCALED, b is SCALED.
Translator fused_mat_mul(FusedLayer layer) {
  return [=](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    node.ignore({"T1", "T2", "Tbias"}, "types of the inputs");
    const Tail tail{.layer = layer, .wanted_input = 7};
    if (layer.dequantize)
      for (const std::size_t i : {7U, 8U})
        node.ignore_input(i, "the range of quantised results; these are floating-point values");
    MO_TRY(node.expect_inputs(layer.requantize ? 9 : 7));
    MO_ASSIGN(const ElementType a_type, quantised_input(node, 0));
    MO_ASSIGN(const ElementType b_type, quantised_input(node, 1));
    MO_ASSIGN(const std::string mode, read_choice(node, "input_quant_mode", {"MIN_FIRST", "SCALED"}));
    const RealRange range = range_at(node, rw, 3);
    const QuantizedLevels b = scaled_levels_of(b_type, range_at(node, rw, 5));
    const QuantizedLevels a = mode == "SCALED" ? scaled_levels_of(a_type, range) : levels_of(a_type, range);
    const ops::MatMul op{.transpose_a = node.attr("transpose_a", false),
                         .transpose_b = node.attr("transpose_b", false)};
    const Term sum = a.whole(node.input(0)).apply(op, b.whole_weights(node.input(1)));
    MO_ASSIGN(Outputs made, finished(node, rw, tail, sum, a.step * b.step));
    return made;
  };
}

}  // namespace

/// Quantised layers with what follows them, for oneDNN: what fuse_quantized_conv_and_requantize of the Graph Transform
/// Tool and Intel's tools write.
void register_quantized_fused_layers(OperatorTable& table) {
  const auto conv = [&](const std::string& name, const FusedLayer& layer) {
    table.translate(name, fused_conv(layer), outputs(3));
  };
  conv("QuantizedConv2DAndRelu", {.relu = true});
  conv("QuantizedConv2DAndRequantize", {.requantize = true});
  conv("QuantizedConv2DAndReluAndRequantize", {.relu = true, .requantize = true});
  conv("QuantizedConv2DPerChannel", {});
  conv("QuantizedConv2DWithBias", {.bias = true});
  conv("QuantizedConv2DWithBiasAndRelu", {.bias = true, .relu = true});
  conv("QuantizedConv2DWithBiasAndRequantize", {.bias = true, .requantize = true});
  conv("QuantizedConv2DWithBiasAndReluAndRequantize", {.bias = true, .relu = true, .requantize = true});
  conv("QuantizedConv2DWithBiasSumAndReluAndRequantize", {.bias = true, .sum = true, .relu = true, .requantize = true});
  conv("QuantizedConv2DWithBiasSignedSumAndReluAndRequantize",
       {.bias = true, .sum = true, .relu = true, .requantize = true});
  conv("QuantizedDepthwiseConv2D", {.depthwise = true});
  conv("QuantizedDepthwiseConv2DWithBias", {.depthwise = true, .bias = true});
  conv("QuantizedDepthwiseConv2DWithBiasAndRelu", {.depthwise = true, .bias = true, .relu = true});
  conv("QuantizedDepthwiseConv2DWithBiasAndReluAndRequantize",
       {.depthwise = true, .bias = true, .relu = true, .requantize = true});
  table.translate("QuantizedMatMulWithBias", fused_mat_mul({.bias = true}), outputs(3));
  table.translate("QuantizedMatMulWithBiasAndRelu", fused_mat_mul({.bias = true, .relu = true}), outputs(3));
  table.translate("QuantizedMatMulWithBiasAndRequantize", fused_mat_mul({.bias = true, .requantize = true}),
                  outputs(3));
  table.translate("QuantizedMatMulWithBiasAndReluAndRequantize",
                  fused_mat_mul({.bias = true, .relu = true, .requantize = true}), outputs(3));
  table.translate("QuantizedMatMulWithBiasAndDequantize", fused_mat_mul({.bias = true, .dequantize = true}),
                  outputs(1));
}

}  // namespace mo::tensorflow
