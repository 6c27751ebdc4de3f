#include "ops/reshape.hpp"
#include "frontends/tensorflow/ops/support/movement_attributes.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::tensorflow {

/// The same elements under another shape, and ops that only pass a tensor on.
void register_reshape(OperatorTable& table) {
  // A 0 in the target is an empty dimension.
  table.extract("Reshape", [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"shape"});  // of graphs older than TensorFlow 1.0, which have
                             // the input as well
    if (has_complex_elements(node)) return movement_op(node, "TfComplexReshape");
    return ops::Reshape{.special_zero = false};
  });
  table.extract("ExpandDims", [](const FrameworkNode& node) -> Expected<Op> {
    if (has_complex_elements(node)) return movement_op(node, "TfComplexExpandDims");
    return ops::Unsqueeze{};
  });
  table.extract("Squeeze", [](const FrameworkNode& node) {
    return movement_op(node, "TfSqueeze", {{"axes", node.attr("squeeze_dims", std::vector<std::int64_t>())}});
  });
  for (const char* op : {"GuaranteeConst", "Copy", "CopyHost"})
    table.extract(op, [](const FrameworkNode& node) -> Expected<Op> {
      node.ignore({"tensor_name", "debug_ops_spec"});
      return front_op("TfPassThrough");
    });
}

}  // namespace mo::tensorflow
