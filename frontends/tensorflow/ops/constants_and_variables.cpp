#include "core/graph/builtin_ops.hpp"
#include "core/registry/operator_table.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::tensorflow {
namespace {

Expected<Op> constant(const FrameworkNode& node) {
  node.ignore({"dtype"});
  auto value = node.optional_attr<Tensor>("value");
  if (!value || value->empty()) return node.error("MO-TF-0043", "the constant has no value").hint("the model is damaged; check how it was made");
  return Const{*std::move(value)};
}

/// A variable that is still there has no value: the linker makes constants of all others.
Expected<Op> variable(const FrameworkNode& node) {
  const std::string problem = node.attr("@problem", "no checkpoint is given");
  return node.error("MO-TF-0040", "the variable has no value: {}", problem)
      .hint("give the checkpoint with --input_checkpoint, freeze the model, or give a value with --input \"{}->…\"", node.name());
}

/// The value of a variable is the constant that the linker made of it, unless the model changes it first.
Expected<Op> read_variable(const FrameworkNode& node) {
  if (const auto changed = node.optional_attr<std::string>("@changed_by"))
    return node.error("MO-TF-0042", "the variable is changed by '{}' before it is read", *changed)
        .hint("a model that changes its own variables cannot be expressed; cut it there with --input");
  return ops::Identity{};
}

Expected<Op> assignment(const FrameworkNode& node) {
  return node.error("MO-TF-0042", "the output of the model changes a variable")
      .hint("a model that changes its own variables cannot be expressed; choose other outputs, or cut it there with --input");
}

}  // namespace

void register_constants_and_variables(OperatorTable& table) {
  table.extract("Const", constant);
  table.extract("ReadVariableOp", read_variable);
  for (const char* op : {"Variable", "VariableV2", "VarHandleOp", "AutoReloadVariable", "TemporaryVariable"}) table.refuse(op, variable);
  for (const char* op : {"Assign", "AssignAdd", "AssignSub", "AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp", "ScatterAdd",
                         "ScatterSub", "ScatterUpdate", "ScatterMul", "ScatterDiv", "ScatterNdAdd", "ScatterNdUpdate", "ResourceScatterUpdate"})
    table.refuse(op, assignment);
}

}  // namespace mo::tensorflow
