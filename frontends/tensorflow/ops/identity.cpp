#include "frontends/tensorflow/ops/support/changed_variable.hpp"
#include "frontends/tensorflow/ops/support/translate.hpp"

namespace mo::tensorflow {
namespace {

/// The input as it is, of any element type. Checks of values (CheckNumerics) and what concerns gradients have no effect
/// on inference. The value of a variable is the constant that the linker made of it, unless the model changes it first;
/// the linker marks reads after an assignment.
Replacement identity(const FrameworkNode& node, Rewriter&) {
  node.ignore({"T", "dtype"}, "the type of the input");
  node.ignore({"message"}, "of checks that end the run; what passes them is not changed");
  node.ignore({"shape"}, "of what may take the place of a default; the default has the same");
  MO_TRY(node.expect_inputs(1));
  if (const auto changed = node.optional_attr<std::string>("@changed_by")) return changed_variable(node, *changed);
  return node.input(0);
}

/// IdentityN(a, b) -> a, b
Replacement identity_n(const FrameworkNode& node, Rewriter&) {
  node.ignore({"T"}, "the types of the inputs");
  MO_TRY(node.expect_inputs(node.output_count()));
  Outputs outputs;
  // others are not read
  for (std::size_t i = 0; i < std::min(node.output_count(), node.input_count()); ++i) outputs.push_back(node.input(i));
  return outputs;
}

/// Print(x, …) -> x: it writes its other inputs to the log.
Replacement print(const FrameworkNode& node, Rewriter&) {
  node.ignore({"message", "first_n", "summarize", "U"}, "what is written to the log");
  for (std::size_t i = 1; i < node.input_count(); ++i) node.ignore_input(i, "what is written to the log");
  MO_TRY(node.expect_inputs(1));
  return node.input(0);
}

}  // namespace

void register_identity(OperatorTable& table) {
  // TensorFlow 1 reads a variable by an Identity, TensorFlow 2 by a ReadVariableOp.
  for (const char* op : {"Identity", "ReadVariableOp", "StopGradient", "PreventGradient", "Snapshot", "CheckNumerics",
                         "CheckNumericsV2", "DebugGradientIdentity", "PlaceholderWithDefault"})
    table.translate(op, identity);
  table.translate("IdentityN", identity_n);
  table.translate("Print", print);
}

}  // namespace mo::tensorflow
