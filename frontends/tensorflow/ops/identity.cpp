#include "frontends/tensorflow/ops/support/number_type.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::tensorflow {
namespace {

/// The input as it is, of any element type. Checks of values (CheckNumerics) and shapes (EnsureShape) and what concerns gradients have no
/// effect on inference.
Expected<Op> identity(const FrameworkNode& node) {
  node.ignore({"T", "dtype", "message", "shape"});
  // TensorFlow 1 reads a variable by an Identity; the linker marks those that come behind an assignment.
  if (const auto changed = node.optional_attr<std::string>("@changed_by"))
    return node.error("MO-TF-0042", "the variable is changed by '{}' before it is read", *changed)
        .hint("a model that changes its own variables cannot be expressed; cut it there with --input");
  return ops::Identity{};
}

}  // namespace

void register_identity(OperatorTable& table) {
  for (const char* op : {"Identity", "StopGradient", "PreventGradient", "Snapshot", "CheckNumerics", "CheckNumericsV2", "EnsureShape",
                         "DebugGradientIdentity", "PlaceholderWithDefault"})
    table.extract(op, identity);
  table.extract("IdentityN", [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"T"});
    node.declare_outputs(node.input_count());
    return front_op("TfIdentityN");
  });
  // Print writes its other inputs to the log.
  table.extract("Print", [](const FrameworkNode& node) -> Expected<Op> {
    node.ignore({"T", "U", "message", "first_n", "summarize"});
    return front_op("TfIdentityN");
  });
}

}  // namespace mo::tensorflow
