#include "frontends/onnx/ops/support/convolution.hpp"
#include "frontends/onnx/ops/support/translate.hpp"

namespace mo::onnx {

/// ConvTranspose(x, w, b) -> ConvolutionBackpropData(x, w) + b
void register_convolution_transpose(OperatorTable& table) {
  table.translate("ConvTranspose", since(1), [](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_TRY(node.expect_inputs(2));
    MO_ASSIGN(const Value y, make_transposed_convolution(node, rw, node.input(0), node.input(1), node.input(2)));
    return y;
  });
}

}  // namespace mo::onnx
