#include "tools/transform/freezing.hpp"

#include "frontends/tensorflow/graph_def/keys.hpp"
#include "frontends/tensorflow/graph_def/unfrozen_model.hpp"
#include "frontends/tensorflow/model_state.hpp"
#include "graph_transforms/support/function_calls.hpp"
#include "graph_transforms/support/reachability.hpp"

namespace mo::tools {
namespace {

using graph_transforms::attributes_of;
using graph_transforms::GraphEditor;
using graph_transforms::inline_call;
using graph_transforms::is_op_of;
using graph_transforms::op_of;

/// Functions that are called without branches and loops.
Expected<void> inline_calls(Graph& graph, const graph_transforms::TransformFuncContext& context) {
  for (std::size_t depth = 0; depth < tensorflow::limits::kDepth; ++depth) {
    GraphEditor editor(graph, context);
    std::vector<Node> calls;
    for (const Node node : graph.nodes())
      if (is_op_of(op_of(node), "PartitionedCall|StatefulPartitionedCall")) calls.push_back(node);
    if (calls.empty()) return {};
    for (const Node& call : calls) {
      MO_TRY(inline_call(editor, call));
      if (graph.node_count() > tensorflow::limits::kInlinedNodes)
        return tensorflow::ModelState::too_many_inlined_nodes();
    }
  }
  return error("MO-TF-0015", "functions call functions more than {} deep", tensorflow::limits::kDepth)
      .hint("the model calls itself, or is corrupt");
}

/// Puts constants in the place of variables.
class VariableFreezer {
 public:
  VariableFreezer(GraphEditor& editor, const tensorflow::VariableBinder& variables)
      : editor_(editor), variables_(variables) {}

  Expected<void> freeze(const Node& variable) {
    MO_ASSIGN(const tensorflow::VariableBinder::Found found, variables_.find_value(variable));
    if (!found.value)
      return variable
          .error("MO-GTT-0070", "the variable has no value: {}",
                 found.problem.empty() ? "there is no checkpoint" : found.problem)
          .hint("say where its value is: --input_checkpoint=PREFIX");
    type_ = variable.attribute("dtype");
    for (const InPort& reader : variable.output().get_destinations())
      MO_TRY(read_constant(reader, op_of(variable) == "VarHandleOp"));
    const std::string name(variable.name());
    const Node constant = editor_.create_constant(editor_.free_name(name + "_value"), *found.value);
    editor_.redirect(variable.output(), constant.output());
    editor_.redirect_control(variable, constant);
    editor_.erase(variable);
    editor_.rename(constant, name);
    return {};
  }

 private:
  /// What reads a variable, or a handle of one, reads a constant of its value instead.
  Expected<void> read_constant(const InPort& port, bool by_handle) {
    const Node reader = port.node();
    const std::string_view op = op_of(reader);
    AttributeMap& attributes = attributes_of(reader);
    if (op == "Identity") {
      attributes.set("T", type_);
      for (const InPort& further : reader.output().get_destinations())
        if (by_handle) MO_TRY(read_constant(further, by_handle));
      return {};
    }
    if (!by_handle)
      return op.starts_with("Assign") || op.starts_with("Scatter") || op.starts_with("Apply") ? refused(reader)
                                                                                              : Expected<void>();
    if (op == "ReadVariableOp") {
      attributes = AttributeMap{{"T", type_}};
      editor_.set_op(reader, "Identity");
    } else if (op == "VariableShape") {
      attributes.set("T", type_);
      editor_.set_op(reader, "Shape");
    } else if (op == "ResourceGatherNd") {
      attributes.set("Tparams", type_);
      attributes.erase("dtype");
      editor_.set_op(reader, "GatherNd");
    } else if (op == "ResourceGather") {
      become_gather(reader);
    } else {
      return refused(reader);
    }
    return {};
  }

  /// ResourceGather(handle, indices) -> GatherV2(value, indices, axis)
  void become_gather(const Node& reader) {
    AttributeMap& attributes = attributes_of(reader);
    const auto axis = static_cast<std::int32_t>(reader.attr<std::int64_t>("batch_dims").value_or(0));
    for (const char* const gone : {"dtype", "validate_indices"}) attributes.erase(gone);
    attributes.set("Tparams", type_);
    attributes.set("Taxis", ElementType::i32);
    editor_.set_op(reader, "GatherV2");
    const std::string name = editor_.free_name(std::string(reader.name()) + "/axis");
    editor_.set_input(reader, 2, editor_.create_constant(name, Tensor::scalar(axis)).output());
  }

  static Diagnostic refused(const Node& reader) {
    return reader.error("MO-GTT-0070", "{} uses a variable otherwise than by reading it", op_of(reader))
        .hint("choose --outputs before it; `mo` converts branches and loops that read variables as they are");
  }

  GraphEditor& editor_;
  const tensorflow::VariableBinder& variables_;
  AttributeValue type_;
};

bool calls_functions(const Graph& graph) {
  for (const Node node : graph.nodes())
    for (const AttributeMap::Item& item : attributes_of(node))
      if (const AttributeMap* const map = item.value.map(); map && map->contains(tensorflow::kept_key::kFunction))
        return true;
  return false;
}

}  // namespace

Expected<void> freeze(Graph& graph, const tensorflow::VariableBinder& variables,
                      graph_transforms::TransformFuncContext context) {
  context.resolve_ends(graph);
  {
    GraphEditor editor(graph, context);
    MO_TRY(graph_transforms::erase_unreachable(editor));
  }
  MO_TRY(inline_calls(graph, context));
  GraphEditor editor(graph, context);
  MO_TRY(graph_transforms::erase_unreachable(editor));
  std::vector<Node> unfrozen;
  for (const Node node : graph.nodes())
    if (tensorflow::is_variable(node)) unfrozen.push_back(node);
  VariableFreezer freezer(editor, variables);
  for (const Node& variable : unfrozen) MO_TRY(freezer.freeze(variable));
  if (!calls_functions(graph)) tensorflow::drop_library(graph);
  return {};
}

}  // namespace mo::tools
