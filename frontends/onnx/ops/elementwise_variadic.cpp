#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::onnx {
namespace {

/// a op b op c …
template <class T>
Replacement chained(const FrameworkNode& node, Rewriter& rw) {
  if (node.input_count() == 0)
    return node.error("MO-ONNX-0202", "there is no input").hint("this op needs at least one input");
  MO_TRY(node.expect_inputs(node.input_count()));
  Value all = node.input(0);
  for (std::size_t i = 1; i < node.input_count(); ++i) all = rw.create(T{}, all, node.input(i));
  return all;
}

/// Mean(a, b, c) -> (a + b + c) / 3
Replacement mean_of_tensors(const FrameworkNode& node, Rewriter& rw) {
  Replacement sum = chained<ops::Add>(node, rw);
  if (sum.error() || node.input_count() < 2) return sum;
  const Value& total = sum.outputs().front();
  return rw.create(ops::Divide{}, total, number_like(rw, total, static_cast<double>(node.input_count())));
}

}  // namespace

/// Max, Min, Sum and Mean take any number of tensors. Before opset 8 all have one shape, which is a case of numpy's
/// rule for broadcasting.
void register_elementwise_variadic(OperatorTable& table) {
  table.translate("Max", since(1), chained<ops::Maximum>);
  table.translate("Min", since(1), chained<ops::Minimum>);
  table.translate("Sum", since(1), chained<ops::Add>);
  table.translate("Mean", since(1), mean_of_tensors);
}

}  // namespace mo::onnx
