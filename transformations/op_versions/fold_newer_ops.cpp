#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

/// Whether the result cannot change with the shapes of the model's inputs.
bool has_constant_inputs_only(const Node& node) {
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (const Value source = node.input(i); source && !source.node().is<Const>()) return false;
  return true;
}

/// The values of all outputs that are read; nothing when one is unknown or the node has effects.
std::optional<std::vector<Tensor>> known_outputs(const Node& node) {
  std::vector<Tensor> values(node.out_port_count());
  bool any = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (node.out_port(i).disconnected()) continue;
    const Tensor* value = node.out_port(i).data().value();
    if (!value) return std::nullopt;
    values[i] = *value;
    any = true;
  }
  return any ? std::optional(std::move(values)) : std::nullopt;
}

}  // namespace

/// An op that the target does not read, but whose result inference knows (Eye of known sizes, Unique of constants): a
/// constant. The last resort, for what no lowering says with older ops. In IR version 10, which has nothing else to
/// offer, also where the result depends on the shape of an input: the model loses its reshape-ability there.
void register_fold_newer_ops(PassRegistry& passes) {
  passes.add(graph_pass("FoldNewerOps")
                 .phase(Phase::back)
                 .run_after({"BackFinish"})
                 .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                   Rewriter rw(graph);
                   bool changed = false;
                   const std::uint32_t end = graph.node_capacity();
                   for (std::uint32_t i = 0; i < end; ++i) {
                     const Node node = graph.node(NodeId{i});
                     if (!node.alive() || node.out_port_count() == 0) continue;
                     const OpType& type = node.op_type();
                     if (!type.opset_name.empty() || context.settings.is_read(type.opset, type.name) || type.dynamic ||
                         type.traits.stateful)
                       continue;
                     if (context.settings.ir_version != 10 && !has_constant_inputs_only(node)) continue;
                     const auto values = known_outputs(node);
                     if (!values) continue;
                     Outputs constants(values->size());
                     for (std::size_t k = 0; k < constants.size(); ++k)
                       if (!(*values)[k].empty()) constants[k] = rw.constant((*values)[k]);
                     rw.replace(node, constants);
                     if (rw.error()) return *rw.error();
                     changed = true;
                   }
                   return changed;
                 }));
}

}  // namespace mo::transformations
