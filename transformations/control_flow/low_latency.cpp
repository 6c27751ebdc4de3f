#include <fmt/format.h>

#include <algorithm>

#include "core/rewrite.hpp"
#include "ops/assign.hpp"
#include "ops/loop.hpp"
#include "ops/read_value.hpp"
#include "ops/tensor_iterator.hpp"
#include "transformations/support/loop_parts.hpp"

namespace mo::transformations {
namespace {

bool is_variable(const InPort& reader) { return reader.node().is<ops::ReadValue>(); }

/// Inside of the body: what comes from the iteration before is read from a variable, and what goes to the next one is
/// kept in it.
Expected<bool> keep_states_inside(const Node& loop, const PassContext& context) {
  const auto parts = loop_parts(loop);
  if (!parts || parts->back_edges->empty() || context.skips(loop)) return false;
  Rewriter rw(*parts->body);
  const std::vector<Node> parameters = parts->body->parameters();
  const std::vector<Node> results = parts->body->results();
  bool changed = false;
  for (const ops::BackEdge& edge : *parts->back_edges) {
    const Node parameter = parameters[static_cast<std::size_t>(edge.parameter)];
    const std::vector<InPort> readers = parameter.output().get_destinations();
    if (readers.empty() || std::any_of(readers.begin(), readers.end(), is_variable)) continue;  // done already
    const std::string variable = fmt::format("{}/{}/variable", loop.name(), parameter.name());
    rw.insert_node(parameter.output(), ops::ReadValue{.variable_id = variable});
    rw.create(ops::Assign{.variable_id = variable}, results[static_cast<std::size_t>(edge.result)].input(0));
    changed = true;
  }
  if (rw.error()) return Error(*rw.error());
  return changed;
}

}  // namespace

void register_low_latency(PassRegistry& passes) {
  passes.offer(graph_pass("LowLatency")
                   .described("a TensorIterator or Loop with back edges",
                              "ReadValue and Assign inside of its body on each back edge",
                              "superseded by LowLatency2, which keeps them outside")
                   .looks_for<ops::TensorIterator, ops::Loop>()
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     bool changed = false;
                     for (const Node node : graph.nodes()) {
                       MO_ASSIGN(const bool kept, keep_states_inside(node, context));
                       changed = changed || kept;
                     }
                     return changed;
                   }));
}

}  // namespace mo::transformations
