#include "transformations/support/branch_parameters.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

Replacement without_unread(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  const Node made = without_unread_inputs(node, rw);
  if (made == node) return declined("each branch reads all that it takes");
  return made.out_ports();
}

}  // namespace

void register_unread_branch_inputs(PassRegistry& passes) {
  passes.add(
      avoid_fault("UnreadBranchInputs",
                  {.form = "If with a branch that takes an input and does not read it",
                   .symptom = "the input is removed from the If, and the condition is lost when it is that input",
                   .first = "2022.1",
                   .last = "latest",
                   .replacement = "If without the Parameter"})
          .add(RewriteRule("ReadInputs", {"If"}, std::nullopt, without_unread)));
}

}  // namespace mo::transformations
