#include "ops/build/tensors.hpp"
#include "ops/elementwise_binary.hpp"
#include "transformations/runtime_faults/support/computed_zero.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/loop_parts.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Elementwise ops on floating-point values, which the runtime puts together to kernels.
bool is_put_together(const Node& node) {
  return node.op_type().traits.elementwise && is_real(node.output_type().element_type);
}

bool reads_one(const Node& node) {
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (node.input(i) && is_put_together(node.input(i).node())) return true;
  return false;
}

bool has_chain(const Graph& body) {
  for (const Node node : body.nodes())
    if (is_put_together(node) && reads_one(node)) return true;
  return false;
}

/// TensorIterator(constant first value of a state) -> TensorIterator(constant + (x < x))
Replacement computed_first_values(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  const auto parts = loop_parts(node);
  if (!parts || !has_chain(*parts->body)) return declined("no elementwise op of the body reads another one");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  Value zero;
  bool changes = false;
  for (const LoopArgument& argument : loop_arguments(*parts)) {
    if (!argument.is_state()) continue;
    Value& first = inputs[static_cast<std::size_t>(argument.map->input)];
    if (is_computed(first) || !is_real(first.type().element_type)) continue;
    if (!zero) zero = computed_zero(rw);
    if (!zero) return declined("the graph has no inputs, so that all is known");
    first = rw.create(ops::Add{}, first, build::as_type(rw, zero, first.type().element_type));
    changes = true;
  }
  if (!changes) return declined("all states begin with computed values");
  const std::size_t outputs = node.out_port_count();
  return rw.create_node(node.take_op(), inputs, outputs).out_ports();
}

}  // namespace

void register_constant_first_states(PassRegistry& passes) {
  passes.add(avoid_fault("ConstantFirstStates",
                         {.form = "TensorIterator with a constant as the first value of a state, and an elementwise op "
                                  "of the body that reads another one",
                          .symptom = "not compiled: Topological order is required, but not set",
                          .first = "2022.3",
                          .last = "2023.3",
                          .replacement = "the constant + (x < x), of an element x of an input"})
                 .add(RewriteRule("ComputedFirstValues", {"TensorIterator"}, std::nullopt, computed_first_values)));
}

}  // namespace mo::transformations
