#include "frontends/onnx/ops/support/softmax_of_rows.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/soft_max.hpp"

namespace mo::onnx {
namespace {

/// Softmax-13, LogSoftmax-13: along one axis, which is exactly what SoftMax does.
template <class T>
Expected<Op> softmax_along_axis(const FrameworkNode& node) {
  return T{.axis = node.attr<std::int64_t>("axis", -1)};
}

/// Up to opset 12 the input is seen as a matrix that is split at `axis`.
Replacement softmax_of_split_matrix(const FrameworkNode& node, Rewriter& rw, bool log) {
  MO_TRY(node.expect_inputs(1));
  MO_ASSIGN(const Value result, softmax_of_rows(node, rw, node.input(0), node.attr<std::int64_t>("axis", 1), log));
  return result;
}

}  // namespace

void register_softmax(OperatorTable& table) {
  table.extract("Softmax", since(13), softmax_along_axis<ops::SoftMax>);
  table.extract("LogSoftmax", since(13), softmax_along_axis<ops::LogSoftmax>);
  table.translate("Softmax", versions(1, 12),
                  [](const FrameworkNode& node, Rewriter& rw) { return softmax_of_split_matrix(node, rw, false); });
  table.translate("LogSoftmax", versions(1, 12),
                  [](const FrameworkNode& node, Rewriter& rw) { return softmax_of_split_matrix(node, rw, true); });
}

}  // namespace mo::onnx
