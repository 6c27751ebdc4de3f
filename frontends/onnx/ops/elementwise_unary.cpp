#include "ops/elementwise_unary.hpp"

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/bitwise.hpp"
#include "ops/classification.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/logical.hpp"

namespace mo::onnx {
namespace {

/// Reciprocal(x) -> 1 / x
Replacement reciprocal(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return rw.create(ops::Divide{}, number_like(rw, node.input(0), 1), node.input(0));
}

Replacement identity(const FrameworkNode& node, Rewriter&) {
  MO_TRY(node.expect_inputs(1));
  return node.input(0);
}

}  // namespace

/// Functions of one tensor, element by element. Versions differ in element types only; opset 1 also had
/// `consumed_inputs`, a memory hint.
void register_elementwise_unary(OperatorTable& table) {
  const auto row = [&table]<class T>(std::string_view name, std::type_identity<T>, std::int64_t first) {
    table.extract(std::string(name), since(first), [](const FrameworkNode&) -> Expected<Op> { return T{}; });
  };
  row("Abs", std::type_identity<ops::Abs>{}, 1);
  row("Neg", std::type_identity<ops::Negative>{}, 1);
  row("Exp", std::type_identity<ops::Exp>{}, 1);
  row("Log", std::type_identity<ops::Log>{}, 1);
  row("Sqrt", std::type_identity<ops::Sqrt>{}, 1);
  row("Ceil", std::type_identity<ops::Ceiling>{}, 1);
  row("Floor", std::type_identity<ops::Floor>{}, 1);
  row("Sign", std::type_identity<ops::Sign>{}, 9);
  row("Erf", std::type_identity<ops::Erf>{}, 9);
  row("Sin", std::type_identity<ops::Sin>{}, 7);
  row("Cos", std::type_identity<ops::Cos>{}, 7);
  row("Tan", std::type_identity<ops::Tan>{}, 7);
  row("Asin", std::type_identity<ops::Asin>{}, 7);
  row("Acos", std::type_identity<ops::Acos>{}, 7);
  row("Atan", std::type_identity<ops::Atan>{}, 7);
  row("Sinh", std::type_identity<ops::Sinh>{}, 9);
  row("Cosh", std::type_identity<ops::Cosh>{}, 9);
  row("Asinh", std::type_identity<ops::Asinh>{}, 9);
  row("Acosh", std::type_identity<ops::Acosh>{}, 9);
  row("Atanh", std::type_identity<ops::Atanh>{}, 9);
  row("Not", std::type_identity<ops::LogicalNot>{}, 1);
  row("BitwiseNot", std::type_identity<ops::BitwiseNot>{}, 18);
  row("IsNaN", std::type_identity<ops::IsNaN>{}, 9);

  // ONNX Round-11: halves go to the even neighbour.
  table.extract("Round", since(11),
                [](const FrameworkNode&) -> Expected<Op> { return ops::Round{.mode = ops::RoundMode::half_to_even}; });
  table.extract("IsInf", since(10), [](const FrameworkNode& node) -> Expected<Op> {
    return ops::IsInf{.detect_negative = node.attr("detect_negative", true),
                      .detect_positive = node.attr("detect_positive", true)};
  });
  table.translate("Reciprocal", since(1), reciprocal);
  table.translate("Identity", since(1), identity);
}

}  // namespace mo::onnx
