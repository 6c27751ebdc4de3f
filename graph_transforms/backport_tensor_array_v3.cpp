#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {

/// TensorArrayV3 and its relatives -> those of version 2. Their second output, the flow, has no counterpart: its
/// readers get a constant.
void register_backport_tensor_array_v3(TransformRegistry& registry) {
  registry.register_transform(
      "backport_tensor_array_v3", [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
        GraphEditor editor(graph, context);
        for (const Node node : graph.nodes()) {
          const std::string op(op_of(node));
          const bool is_array = is_op_of(op, "TensorArrayV3|TensorArrayGradV3");
          constexpr std::string_view kOthers =
              "TensorArrayWriteV3|TensorArrayReadV3|TensorArrayGatherV3|TensorArrayScatterV3|TensorArrayConcatV3|"
              "TensorArraySplitV3|TensorArraySizeV3|"
              "TensorArrayCloseV3";
          if (!is_array && !is_op_of(op, kOthers)) continue;
          editor.set_op(node, op.substr(0, op.size() - 1) + "2");
          if (!is_array || node.out_port_count() < 2) continue;
          const std::string name = editor.free_name(fmt::format("{}/replacement_flow_node", node.name()));
          editor.redirect(node.out_port(1), editor.create_constant(name, Tensor::scalar(1.0F)).output());
          node.delete_output_port(1);
        }
        return {};
      });
  registry.describe("backport_tensor_array_v3",
                    {"Turns the TensorArray operators of version 3 into those of version 2", {}});
}

}  // namespace mo::graph_transforms
