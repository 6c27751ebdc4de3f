#include "graph_transforms/support/repeatable.hpp"

#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/support/op_table.hpp"

namespace mo::graph_transforms {
namespace {

/// ONNX: all operators of the standard but those that draw random numbers or run graphs. Other domains may have any;
/// Microsoft's are known.
bool is_repeatable_in_onnx(std::string_view op) {
  const bool is_standard = op.find_first_of(".:") == std::string_view::npos;
  if (!is_standard && !op.starts_with("com.microsoft.") && !op.starts_with("ai.onnx.ml.")) return false;
  return !is_op_of(op,
                   "Placeholder|SparseConst|RandomNormal|RandomNormalLike|RandomUniform|RandomUniformLike|Bernoulli|"
                   "Multinomial|Dropout|If|Loop|Scan|"
                   "SequenceMap|Optional|com.microsoft.SampleOp|com.microsoft.BeamSearch|com.microsoft.GreedySearch|"
                   "com.microsoft.Sampling|"
                   "com.microsoft.BitmaskDropout|com.microsoft.BiasDropout");
}

/// Caffe: the layers that compute what they make of their bottoms in the test phase. Those that do not run in it share
/// names of blobs with others.
bool is_repeatable_in_caffe(const Node& node) {
  return !node.has_attr("@skipped") && is_op_of(op_of(node),
                                                "Const|AbsVal|ArgMax|BatchNorm|BatchReindex|Bias|BNLL|Clip|Concat|"
                                                "Convolution|Crop|Deconvolution|Dropout|ELU|Eltwise|Embed|Exp|Flatten|"
                                                "Im2col|InnerProduct|Log|LRN|MVN|Pooling|Power|PReLU|Reduction|ReLU|"
                                                "Reshape|Scale|Sigmoid|Slice|Softmax|Split|SPP|Swish|TanH|Threshold|"
                                                "Tile");
}

}  // namespace

bool is_repeatable(const Node& node) {
  const std::string_view op = op_of(node);
  if (node.type().starts_with("onnx::")) return is_repeatable_in_onnx(op);
  if (node.type().starts_with("caffe::")) return is_repeatable_in_caffe(node);
  const OpDefinition* const definition = find_op_definition(op);
  return definition && !definition->is_stateful && !is_op_of(op, "Placeholder|PlaceholderV2");
}

}  // namespace mo::graph_transforms
