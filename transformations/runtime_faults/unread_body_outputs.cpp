#include <algorithm>

#include "transformations/runtime_faults/support/remade.hpp"
#include "transformations/support/loop_parts.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Outputs of ops with several of them that no one reads.
std::vector<Value> unread_outputs(const Graph& body) {
  std::vector<Value> unread;
  for (const Node node : body.nodes()) {
    if (node.out_port_count() < 2) continue;
    for (const OutPort& port : node.out_ports())
      if (port.disconnected()) unread.push_back(port);
  }
  return unread;
}

/// A Result without a map reads them, and leads nowhere.
Replacement read_outputs(const Match& m, Rewriter& rw, PassContext&) {
  const Node node = m.root().node();
  const auto parts = loop_parts(node);
  if (!parts) return Replacement::declined();
  const std::vector<Value> unread = unread_outputs(*parts->body);
  if (unread.empty()) return declined("each output in the body is read");
  for (const Value& value : unread) parts->body->create_result(value);
  return remade(node, rw);
}

}  // namespace

void register_unread_body_outputs(PassRegistry& passes) {
  passes.add(
      avoid_fault("UnreadBodyOutputs",
                  {.form = "op with several outputs in the body of a Loop or TensorIterator, one of which is not read",
                   .symptom = "the model does not compile: \"contains empty child edge\"",
                   .first = "2021.4",
                   .last = "2021.4",
                   .replacement = "a Result of the body reads the output"})
          .add(RewriteRule("ReadOutputs", {"Loop", "TensorIterator"}, std::nullopt, read_outputs)));
}

}  // namespace mo::transformations
