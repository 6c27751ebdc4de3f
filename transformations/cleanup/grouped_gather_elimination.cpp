#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/concat.hpp"
#include "transformations/support/gathers.hpp"

namespace mo::transformations {
namespace {

/// Gathers of one class that take vectors out of the same vector.
bool belong_together(const Value& a, const Value& b) {
  const Node first = a.node();
  const Node second = b.node();
  if (!is_gather(first) || !first.op_type().same_op(second.op_type()) || first.input(0) != second.input(0))
    return false;
  if (batch_dims_of(first) != 0 || batch_dims_of(second) != 0) return false;
  return first.input_type(0).rank() == 1 && first.input_type(1).rank() == 1 && second.input_type(1).rank() == 1 &&
         first.input_type(1).element_type == second.input_type(1).element_type;
}

}  // namespace

void register_grouped_gather_elimination(PassRegistry& passes) {
  using namespace pattern;
  const Pat concat = op<ops::Concat>().rank(1);
  passes.offer(rewrite("GroupedGatherElimination")
                   .described("Concat(…, Gather(x, i), Gather(x, j), …)",
                              "Concat(…, Gather(x, [i, j]), …), or the Gather alone",
                              "vectors; Gathers of one class, side by side")
                   .match(concat)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(concat);
                     std::vector<Value> inputs;
                     for (std::size_t i = 0; i < node.in_port_count(); ++i) {
                       const Value next = node.input(i);
                       if (inputs.empty() || !belong_together(inputs.back(), next)) {
                         inputs.push_back(next);
                         continue;
                       }
                       const Node last = inputs.back().node();
                       const Value indices = rw.fold(ops::Concat{.axis = 0}, last.input(1), next.node().input(1));
                       inputs.back() = rw.copy_with_new_inputs(last, {last.input(0), indices, last.input(2)}).output();
                     }
                     if (inputs.size() == node.in_port_count())
                       return declined("no Gathers of one vector side by side");
                     return inputs.size() == 1 ? inputs.front() : rw.copy_with_new_inputs(node, inputs).output();
                   }));
}

}  // namespace mo::transformations
