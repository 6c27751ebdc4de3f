#include "ops/elementwise_unary.hpp"

#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "ops/bitwise.hpp"
#include "ops/classification.hpp"
#include "ops/logical.hpp"

namespace mo::tensorflow {

/// Functions of one tensor, element by element.
void register_elementwise_unary(OperatorTable& table) {
  table.extract("Abs", plain<ops::Abs>());
  table.extract("Acos", plain<ops::Acos>());
  table.extract("Acosh", plain<ops::Acosh>());
  table.extract("Asin", plain<ops::Asin>());
  table.extract("Asinh", plain<ops::Asinh>());
  table.extract("Atan", plain<ops::Atan>());
  table.extract("Atanh", plain<ops::Atanh>());
  table.extract("Ceil", plain<ops::Ceiling>());
  table.extract("Cos", plain<ops::Cos>());
  table.extract("Cosh", plain<ops::Cosh>());
  table.extract("Erf", plain<ops::Erf>());
  table.extract("Exp", plain<ops::Exp>());
  table.extract("Floor", plain<ops::Floor>());
  table.extract("Log", plain<ops::Log>());
  table.extract("Sigmoid", plain<ops::Sigmoid>());
  table.extract("Sign", plain<ops::Sign>());
  table.extract("Sin", plain<ops::Sin>());
  table.extract("Sinh", plain<ops::Sinh>());
  table.extract("Sqrt", plain<ops::Sqrt>());
  table.extract("Tan", plain<ops::Tan>());
  table.extract("Tanh", plain<ops::Tanh>());
  table.extract("IsFinite", plain<ops::IsFinite>());
  table.extract("IsInf", plain<ops::IsInf>());
  table.extract("IsNan", plain<ops::IsNaN>());
  table.extract("Invert", plain<ops::BitwiseNot>());
  // TensorFlow Round and Rint: halves go to the even neighbour.
  table.extract("Round", plain(ops::Round{.mode = ops::RoundMode::half_to_even}));
  table.extract("Rint", plain(ops::Round{.mode = ops::RoundMode::half_to_even}));
  table.extract("LogicalNot", [](const FrameworkNode&) -> Expected<Op> { return ops::LogicalNot{}; });
  // The negative of a complex number is that of its parts.
  table.extract("Neg", [](const FrameworkNode& node) -> Expected<Op> {
    if (!is_complex(node)) MO_TRY(number_type(node));
    return ops::Negative{};
  });

  table.extract("Erfc", typed("TfErfc"));
  table.extract("Expm1", typed("TfExpm1"));
  table.extract("Log1p", typed("TfLog1p"));
  table.extract("Inv", typed("TfReciprocal"));
  table.extract("Reciprocal", typed("TfReciprocal"));
  table.extract("Rsqrt", typed("TfRsqrt"));
  table.extract("Square", [](const FrameworkNode& node) -> Expected<Op> {
    if (is_complex(node)) return front_op("TfSquare", {{"complex", true}});
    MO_TRY(number_type(node));
    return front_op("TfSquare");
  });
}

}  // namespace mo::tensorflow
