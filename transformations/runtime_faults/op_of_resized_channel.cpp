#include <algorithm>
#include <set>

#include "transformations/runtime_faults/support/copied.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

constexpr std::size_t kMostOpsOfKernel = 64;  ///< of one kernel; the search is cheap

/// An op whose result may take the place of what it reads.
bool works_in_place(const Node& node) { return node.op_type().traits.elementwise || node.is("MVN"); }

bool has_several_readers(const OutPort& output) {
  const std::vector<InPort> readers = output.get_destinations();
  return std::any_of(readers.begin(), readers.end(), [&](const InPort& r) { return r.node() != readers[0].node(); });
}

/// Ops that work in place made it of a resized tensor.
bool is_made_of_resized(const Node& node) {
  std::set<NodeId> seen;
  std::vector<Node> open{node};
  while (!open.empty() && seen.size() < kMostOpsOfKernel) {
    const Node made = open.back();
    open.pop_back();
    if (made.is("Interpolate")) return true;
    if (!works_in_place(made) || !seen.insert(made.id()).second) continue;
    for (std::size_t i = 0; i < made.in_port_count(); ++i)
      if (made.input(i)) open.push_back(made.input(i).node());
  }
  return false;
}

/// op(Interpolate(x)), which several ops read, -> Maximum(y, y) of it, a copy that they read.
Replacement copied_result(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  if (!works_in_place(node) || node.out_port_count() != 1) return declined("does not work in place");
  const TensorType& type = node.output_type();
  if (!is_real(type.element_type) || !type.rank() || *type.rank() < 3 || type.shape[1] != Dimension(1))
    return declined("not one channel of floating-point values");
  if (!has_several_readers(node.output()) || is_copy(node.output()))
    return declined("one op reads it, or it is a copy");
  if (!is_made_of_resized(node)) return declined("not of a resized tensor");
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  return copied(rw, rw.copy_with_new_inputs(node, inputs).output());
}

}  // namespace

void register_op_of_resized_channel(PassRegistry& passes) {
  passes.add(avoid_fault("OpOfResizedChannel",
                         {.form = "elementwise ops or MVN of an Interpolate of one channel, which several ops read",
                          .symptom = "some of them get the result of the Interpolate",
                          .first = "2022.1",
                          .last = "2022.1",
                          .replacement = "Maximum(x, x) as a copy after the op"})
                 .add(RewriteRule("CopiedResult", {}, std::nullopt, copied_result)));
}

}  // namespace mo::transformations
