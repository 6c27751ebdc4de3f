#include "core/graph/builtin_ops.hpp"
#include "frontends/tensorflow/ops/support/changed_variable.hpp"

namespace mo::tensorflow {
namespace {

Expected<Op> constant(const FrameworkNode& node) {
  node.ignore({"dtype"}, "the value has a type");
  auto value = node.optional_attr<Tensor>("value");
  if (!value || value->empty())
    return node.error("MO-TF-0043", "the constant has no value")
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  return Const{*std::move(value)};
}

/// What changes the variable before it is read, as the linker found: it marks the reads, which may come after further
/// Identity nodes.
std::optional<std::string> changed_before_read(const Node& variable) {
  std::vector<Node> open = {variable};
  constexpr std::size_t kMostReads = 1000;
  for (std::size_t i = 0; i < open.size() && i < kMostReads; ++i)
    for (const OutPort& port : open[i].out_ports())
      for (const InPort& reader : port.get_destinations()) {
        if (auto changed = reader.node().attr<std::string>("@changed_by")) return changed;
        if (reader.node().is("tf::Identity")) open.push_back(reader.node());
      }
  return std::nullopt;
}

/// A variable that is still there has no value: the linker makes constants of all others.
Expected<Op> variable(const FrameworkNode& node) {
  if (const auto changed = changed_before_read(node.node())) return changed_variable(node, *changed);
  const std::string problem = node.attr("@problem", "no checkpoint is given");
  return node.error("MO-TF-0040", "the variable has no value: {}", problem)
      .hint("give the checkpoint with --input_checkpoint, freeze the model, or give a value with --input \"{}->…\"",
            node.name());
}

Expected<Op> assignment(const FrameworkNode& node) {
  return node.error("MO-TF-0042", "the output of the model changes a variable")
      .hint(
          "a model that changes its own variables cannot be expressed; choose other outputs, or cut it there with "
          "--input");
}

}  // namespace

void register_constants_and_variables(OperatorTable& table) {
  table.extract("Const", constant);
  for (const char* op : {"Variable", "VariableV2", "VarHandleOp", "AutoReloadVariable", "TemporaryVariable"})
    table.refuse(op, variable);
  for (const char* op : {"Assign", "AssignAdd", "AssignSub", "AssignVariableOp", "AssignAddVariableOp",
                         "AssignSubVariableOp", "ScatterAdd", "ScatterSub", "ScatterUpdate", "ScatterMul", "ScatterDiv",
                         "ScatterNdAdd", "ScatterNdUpdate", "ResourceScatterUpdate"})
    table.refuse(op, assignment);
}

}  // namespace mo::tensorflow
