#include "ops/comparison.hpp"

#include "onnx_emitter/translator.hpp"
#include "ops/logical.hpp"

namespace mo::onnx_emitter {
namespace {

template <class Op>
Value compared(Translation& t, const char* type) {
  const auto& op = *t.node.as<Op>();
  return t.op(type, {t.input(0), t.aligned(1, op.auto_broadcast, op.auto_broadcast_axis)});
}

template <class Op>
OnnxForm comparison(const char* type) {
  return [type](Translation& t) -> Expected<Outputs> { return Outputs{compared<Op>(t, type)}; };
}

/// GreaterOrEqual and LessOrEqual came with op set 12; NaN makes both of them and their opposites false.
template <class Op>
OnnxForm or_equal(const char* type, const char* strict) {
  return [=](Translation& t) -> Expected<Outputs> {
    if (t.opset >= 12) return Outputs{compared<Op>(t, type)};
    return Outputs{t.op("Or", {compared<Op>(t, strict), compared<Op>(t, "Equal")})};
  };
}

Expected<Outputs> not_equal(Translation& t) { return Outputs{t.op("Not", {compared<ops::NotEqual>(t, "Equal")})}; }

}  // namespace

void register_comparison(OnnxForms& table) {
  table.add<ops::Equal>(comparison<ops::Equal>("Equal"));
  table.add<ops::NotEqual>(not_equal);
  table.add<ops::Greater>(comparison<ops::Greater>("Greater"));
  table.add<ops::GreaterEqual>(or_equal<ops::GreaterEqual>("GreaterOrEqual", "Greater"));
  table.add<ops::Less>(comparison<ops::Less>("Less"));
  table.add<ops::LessEqual>(or_equal<ops::LessEqual>("LessOrEqual", "Less"));
  table.add<ops::LogicalAnd>(comparison<ops::LogicalAnd>("And"));
  table.add<ops::LogicalOr>(comparison<ops::LogicalOr>("Or"));
  table.add<ops::LogicalXor>(comparison<ops::LogicalXor>("Xor"));
  table.add<ops::Xor>(comparison<ops::Xor>("Xor"));
  table.add<ops::LogicalNot>(direct("Not"));
}

}  // namespace mo::onnx_emitter
