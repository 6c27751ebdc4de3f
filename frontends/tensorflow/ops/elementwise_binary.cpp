#include "ops/elementwise_binary.hpp"

#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "ops/bitwise.hpp"

namespace mo::tensorflow {
namespace {

/// An op that works on the parts of complex numbers one by one: a trailing dimension of 2 does not disturb it.
template <class T>
Extractor by_parts() {
  return [](const FrameworkNode& node) -> Expected<Op> {
    if (!is_complex(node)) MO_TRY(number_type(node));
    return T{};
  };
}

/// `real` for numbers, the front-only op `complex` for complex numbers.
template <class T>
Extractor real_or_complex(T real, std::string_view complex) {
  return [=](const FrameworkNode& node) -> Expected<Op> {
    if (is_complex(node)) return front_op(complex);
    MO_TRY(number_type(node));
    return real;
  };
}

/// Div rounds integer quotients towards zero, as C++ does.
Expected<Op> div(const FrameworkNode& node) {
  if (is_complex(node)) return front_op("TfComplexDivide");
  MO_ASSIGN(const ElementType type, number_type(node));
  return ops::Divide{.m_pythondiv = is_real(type)};
}

/// FloorDiv and TruncateDiv: the rounding of an integer quotient is an attribute, that of a real one an op.
Extractor rounded_division(std::string_view name, bool floor) {
  return [=](const FrameworkNode& node) -> Expected<Op> {
    MO_ASSIGN(const ElementType type, number_type(node));
    if (is_integral(type)) return ops::Divide{.m_pythondiv = floor};
    return front_op(name, {{"T", type}});
  };
}

Expected<Op> add_n(const FrameworkNode& node) {
  node.ignore({"N", "shape"});
  if (!is_complex(node)) MO_TRY(number_type(node));
  return front_op("TfAddN");
}

Expected<Op> bias_add(const FrameworkNode& node) {
  MO_TRY(number_type(node));
  const std::string format = node.attr("data_format", "NHWC");
  if (format == "NHWC") return ops::Add{};
  if (format == "NCHW") return front_op("TfBiasAddToChannels");
  return node.error("MO-TF-0502", "data_format is \"{}\"", format).hint("it is one of NHWC, NCHW");
}

}  // namespace

/// Functions of two tensors, element by element; shapes broadcast as in numpy.
void register_elementwise_binary(OperatorTable& table) {
  table.extract("Add", by_parts<ops::Add>());
  table.extract("AddV2", by_parts<ops::Add>());
  table.extract("Sub", by_parts<ops::Subtract>());
  table.extract("AddN", add_n);
  table.extract("AccumulateNV2", add_n);
  table.extract("Mul", real_or_complex(ops::Multiply{}, "TfComplexMultiply"));
  table.extract("RealDiv", real_or_complex(ops::Divide{}, "TfComplexDivide"));
  table.extract("Div", div);
  table.extract("FloorDiv", rounded_division("TfFloorDiv", true));
  table.extract("TruncateDiv", rounded_division("TfTruncateDiv", false));
  // TensorFlow Mod and TruncateMod: the remainder has the sign of the dividend; FloorMod: that of the divisor.
  table.extract("Mod", plain<ops::Mod>());
  table.extract("TruncateMod", plain<ops::Mod>());
  table.extract("FloorMod", plain<ops::FloorMod>());
  table.extract("Maximum", plain<ops::Maximum>());
  table.extract("Minimum", plain<ops::Minimum>());
  table.extract("Pow", plain<ops::Power>());
  table.extract("SquaredDifference", plain<ops::SquaredDifference>());
  table.extract("BitwiseAnd", plain<ops::BitwiseAnd>());
  table.extract("BitwiseOr", plain<ops::BitwiseOr>());
  table.extract("BitwiseXor", plain<ops::BitwiseXor>());
  table.extract("LeftShift", plain<ops::BitwiseLeftShift>());
  table.extract("RightShift", plain<ops::BitwiseRightShift>());

  table.extract("DivNoNan", typed("TfDivNoNan"));
  table.extract("MulNoNan", typed("TfMulNoNan"));
  table.extract("Xdivy", typed("TfXdivy"));
  table.extract("Xlogy", typed("TfXlogy"));
  table.extract("Xlog1py", typed("TfXlog1py"));
  table.extract("Atan2", typed("TfAtan2"));

  table.extract("BiasAdd", bias_add);
  // BiasAddV1 has no data_format: the channels are last.
  table.extract("BiasAddV1", plain<ops::Add>());
}

}  // namespace mo::tensorflow
