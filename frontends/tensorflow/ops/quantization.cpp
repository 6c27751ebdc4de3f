#include <fmt/format.h>

#include <algorithm>

#include "frontends/tensorflow/ops/support/spatial_window.hpp"

namespace mo::tensorflow {
namespace {

/// Error MO-TF-0650 for a number of bits outside of [least, most].
Expected<std::int64_t> read_bits(const FrameworkNode& node, std::int64_t least, std::int64_t most) {
  const auto bits = node.attr<std::int64_t>("num_bits", 8);
  if (bits < least || bits > most)
    return node.error("MO-TF-0650", "num_bits is {}, which is outside of [{}, {}]", bits, least, most).hint("check how the model was exported");
  return bits;
}

/// One of the spellings, of which the first one is the default, or error MO-TF-0651.
Expected<std::string> read_choice(const FrameworkNode& node, std::string_view name, std::initializer_list<std::string_view> choices) {
  const std::string text = node.attr(name, std::string(*choices.begin()));
  if (std::find(choices.begin(), choices.end(), text) == choices.end())
    return node.error("MO-TF-0651", "{} is {}", name, text).hint("it is one of {}", fmt::format("{}", fmt::join(choices, ", ")));
  return text;
}

/// Error MO-TF-0653 for an axis below -1, which stands for one range for the whole tensor.
Expected<std::int64_t> read_axis(const FrameworkNode& node) {
  const auto axis = node.attr<std::int64_t>("axis", -1);
  constexpr std::int64_t kMostDimensions = 64;
  if (axis < -1 || axis >= kMostDimensions)
    return node.error("MO-TF-0653", "axis is {}", axis).hint("it is a dimension of the data, or -1 for one range for all of them");
  return axis;
}

Expected<AttributeMap> fake_quant_attributes(const FrameworkNode& node) {
  MO_ASSIGN(const std::int64_t bits, read_bits(node, 2, 16));
  return AttributeMap{{"num_bits", bits}, {"narrow_range", node.attr("narrow_range", false)}};
}

Expected<Op> fake_quant_with_attributes(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, fake_quant_attributes(node));
  attributes.set("min", node.attr("min", -6.0));
  attributes.set("max", node.attr("max", 6.0));
  return front_op("TfFakeQuant", std::move(attributes));
}

Expected<Op> fake_quant_with_inputs(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, fake_quant_attributes(node));
  return front_op("TfFakeQuant", std::move(attributes));
}

/// The versions of QuantizeAndDequantize differ in where the range and the number of bits come from. The widest numbers that f32 holds exactly
/// have 24 bits.
Expected<AttributeMap> rounding_attributes(const FrameworkNode& node) {
  const bool is_signed = node.attr("signed_input", true);
  MO_ASSIGN(const std::string round_mode, read_choice(node, "round_mode", {"HALF_TO_EVEN", "HALF_UP"}));
  MO_ASSIGN(const std::int64_t axis, read_axis(node));
  return AttributeMap{{"is_signed", is_signed},
                      {"range_given", node.attr("range_given", false)},
                      {"narrow_range", node.attr("narrow_range", false)},
                      {"round_mode", round_mode},
                      {"axis", axis},
                      {"type", read_type(node, "T").value_or(ElementType::f32)}};
}

Expected<AttributeMap> with_bits(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, rounding_attributes(node));
  MO_ASSIGN(const std::int64_t bits, read_bits(node, node.attr("signed_input", true) ? 2 : 1, 24));
  attributes.set("num_bits", bits);
  return attributes;
}

Expected<Op> round_to_levels(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, with_bits(node));
  return front_op("TfQuantizeAndDequantize", std::move(attributes));
}

/// Version 1: the range is two attributes.
Expected<Op> round_to_levels_v1(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, with_bits(node));
  attributes.set("input_min", node.attr("input_min", 0.0));
  attributes.set("input_max", node.attr("input_max", 0.0));
  return front_op("TfQuantizeAndDequantize", std::move(attributes));
}

/// Version 3: the number of bits is input 3.
Expected<Op> round_to_levels_v3(const FrameworkNode& node) {
  MO_ASSIGN(AttributeMap attributes, rounding_attributes(node));
  // This version has range_given=true as its default.
  attributes.set("range_given", node.attr("range_given", true));
  return front_op("TfQuantizeAndDequantize", std::move(attributes));
}

Expected<std::string> read_mode(const FrameworkNode& node) { return read_choice(node, "mode", {"MIN_COMBINED", "MIN_FIRST", "SCALED"}); }

/// Error MO-TF-0652 for an integer of another width than 8 or 16 bits, whose values f32 holds exactly.
Expected<Op> quantize(const FrameworkNode& node) {
  MO_ASSIGN(const std::string mode, read_mode(node));
  MO_ASSIGN(const std::string round_mode, read_choice(node, "round_mode", {"HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN"}));
  MO_ASSIGN(const std::int64_t axis, read_axis(node));
  const ElementType type = read_type(node, "T").value_or(ElementType::dynamic);
  if (!is_integral(type) || (bit_width(type) != 8 && bit_width(type) != 16))
    return node.error("MO-TF-0652", "the quantised type {} is not an integer of 8 or 16 bits", to_string(type))
        .hint("cut the model around the op with --input and --output");
  if (round_mode == "HALF_TO_EVEN" && mode != "SCALED")
    return node.error("MO-TF-0651", "round_mode is {} in mode {}", round_mode, mode).hint("only the mode SCALED has it");
  node.declare_outputs(3);
  return front_op("TfQuantize", {{"mode", mode},
                                 {"half_to_even", round_mode == "HALF_TO_EVEN"},
                                 {"axis", axis},
                                 {"narrow_range", node.attr("narrow_range", false)},
                                 {"least_range", node.attr("ensure_minimum_range", 0.01)},
                                 {"type", type}});
}

Expected<Op> dequantize(const FrameworkNode& node) {
  MO_ASSIGN(const std::string mode, read_mode(node));
  MO_ASSIGN(const std::int64_t axis, read_axis(node));
  const ElementType type = read_type(node, "T").value_or(ElementType::dynamic);
  if (!is_integral(type) || bit_width(type) > 32)
    return node.error("MO-TF-0652", "the quantised type {} is not an integer of up to 32 bits", to_string(type))
        .hint("cut the model around the op with --input and --output");
  return front_op("TfDequantize", {{"mode", mode},
                                   {"axis", axis},
                                   {"narrow_range", node.attr("narrow_range", false)},
                                   {"type", type},
                                   {"result_type", read_type(node, "dtype").value_or(ElementType::f32)}});
}

}  // namespace

void register_quantization(OperatorTable& table) {
  table.extract("FakeQuantWithMinMaxArgs", fake_quant_with_attributes);
  table.extract("FakeQuantWithMinMaxVars", fake_quant_with_inputs);
  table.extract("FakeQuantWithMinMaxVarsPerChannel", fake_quant_with_inputs);
  table.extract("QuantizeAndDequantize", round_to_levels_v1);
  table.extract("QuantizeAndDequantizeV2", round_to_levels);
  table.extract("QuantizeAndDequantizeV3", round_to_levels_v3);
  table.extract("QuantizeAndDequantizeV4", round_to_levels);
  table.extract("QuantizeV2", quantize);
  table.extract("Dequantize", dequantize);
}

}  // namespace mo::tensorflow
