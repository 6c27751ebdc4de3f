#include <algorithm>

#include "core/rewrite.hpp"
#include "ops/if.hpp"
#include "transformations/support/loop_parameters.hpp"
#include "transformations/support/loop_parts.hpp"

namespace mo::transformations {
namespace {

std::vector<bool> unread_parameters(const Graph& body) {
  std::vector<bool> unread;
  for (const Node& parameter : body.parameters()) unread.push_back(parameter.output().disconnected());
  return unread;
}

bool any_flag(const std::vector<bool>& flags) { return std::find(flags.begin(), flags.end(), true) != flags.end(); }

/// Removes the unread Parameters of a branch; returns whether there were any.
bool drop_unread(Graph& body, std::vector<ops::InputMap>& inputs) {
  const std::vector<bool> unread = unread_parameters(body);
  if (!any_flag(unread)) return false;
  std::erase_if(inputs, [&](const ops::InputMap& map) { return unread[static_cast<std::size_t>(map.parameter)]; });
  for (ops::InputMap& map : inputs) map.parameter -= std::count(unread.begin(), unread.begin() + map.parameter, true);
  const std::vector<Node> parameters = body.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (unread[i]) body.erase(parameters[i]);
  return true;
}

/// An If whose branches have no unread Parameters, without the inputs that no branch needs.
bool without_dangling(Rewriter& rw, const Node& node) {
  const auto* found = node.as<ops::If>();
  if (!any_flag(unread_parameters(found->then_body.graph())) && !any_flag(unread_parameters(found->else_body.graph())))
    return false;
  Op taken = node.take_op();
  ops::If op = std::move(*static_cast<ops::If*>(taken.payload()));
  drop_unread(op.then_body.graph(), op.then_input_map);
  drop_unread(op.else_body.graph(), op.else_input_map);
  std::vector<bool> unread(node.in_port_count(), true);
  unread[0] = false;  // the condition
  for (const auto* maps : {&op.then_input_map, &op.else_input_map})
    for (const ops::InputMap& map : *maps) unread[static_cast<std::size_t>(map.input)] = false;
  for (auto* maps : {&op.then_input_map, &op.else_input_map})
    for (ops::InputMap& map : *maps) map.input -= std::count(unread.begin(), unread.begin() + map.input, true);
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < unread.size(); ++i)
    if (!unread[i]) inputs.push_back(node.input(i));
  const Node made = rw.create_node(std::move(op), inputs, node.out_port_count());
  rw.replace(node, made.out_ports());
  return true;
}

void drop_dangling(Rewriter& rw, const Node& node) {
  if (node.is<ops::If>()) {
    without_dangling(rw, node);
  } else if (const auto parts = loop_parts(node)) {
    std::vector<bool> unread = unread_parameters(*parts->body);
    keep_step_count(node, unread);
    without_parameters(node, rw, unread);
  }
}

}  // namespace

void register_remove_multi_sub_graph_op_dangling_params(PassRegistry& passes) {
  passes.offer(graph_pass("RemoveMultiSubGraphOpDanglingParams")
                   .described("If, Loop or TensorIterator with inputs that its bodies do not read",
                              "the op without them",
                              "a TensorIterator keeps one of those that define the number of steps")
                   .asks_nodes()
                   .run([](Graph& graph, PassContext& context) -> Expected<bool> {
                     Rewriter rw(graph);
                     for (const Node& owner : graph.body_owners())
                       if (!context.skips(owner)) drop_dangling(rw, owner);
                     if (rw.error()) return Error(*rw.error());
                     return rw.has_changed();
                   }));
}

}  // namespace mo::transformations
