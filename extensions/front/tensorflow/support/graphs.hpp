#pragma once

#include "core/graph/copying.hpp"
#include "core/graph/dead_nodes.hpp"
#include "core/graph/values.hpp"
#include "core/pass/graph_copier.hpp"
#include "core/registry/framework_node.hpp"
#include "core/rewrite.hpp"

/// What the passes that restructure TensorFlow's graphs share. They run before operators are translated, so a node is
/// an op ("Less") or still what the model has ("tf::Less"); they ask for its origin, which is the same in both cases.
namespace mo::front::tensorflow {

// -- single nodes -----------------------------------------------------------------------------------------------------

/// The node is one of these operators of TensorFlow: is_operator(node, {"Add", "AddV2"}).
bool is_operator(const Node& node, std::initializer_list<std::string_view> names);
bool is_switch(const Node& node);
bool is_merge(const Node& node);
bool is_enter(const Node& node);
bool is_exit(const Node& node);
bool is_next_iteration(const Node& node);
inline bool is_loop_condition(const Node& node) { return node.is("tf::LoopCond"); }
/// What gives its input as it is.
bool is_identity(const Node& node);
/// Whether the graph has nodes of one of these names, "tf::Switch" …
bool has_any(const Graph& graph, std::initializer_list<std::string_view> ops);

/// The source tensor of a chain of Identity nodes. A cycle of them, which only a broken model has, ends the search.
Value plain(Value value);
/// Whether both are certainly the same numbers, also through Identity nodes.
bool same_numbers(const Value& a, const Value& b);
/// The only element of an integer or boolean constant, also through Identity nodes.
std::optional<std::int64_t> constant_integer(const Value& value);
/// The elements of a constant of integers, also through Identity nodes.
std::optional<std::vector<std::int64_t>> constant_integers(const Value& value);
/// The type of the tensor, also through Identity nodes: that of constants and inputs of the graph; nothing else is
/// inferred yet.
const TensorType& constant_type(const Value& value);

// -- graphs -----------------------------------------------------------------------------------------------------------

/// Removes the nodes that no Result needs, cycles among them; Parameters stay, and the Switch nodes that say in which
/// branch a node is.
void remove_unreachable(Graph& graph);
/// Readers of an Identity read its source instead.
void bypass_identities(Graph& graph);
/// Copies keep the control edges that tie a node to the branch of a conditional.
void keep_branches(GraphCopier& copier);

/// One rule for nodes of these names. What it is given has its first `inputs` inputs: error MO-FRONT-0006.
RewriteRule structural_rule(std::vector<std::string> ops, std::size_t inputs,
                            std::function<Replacement(const Node&, Rewriter&)> replace);

}  // namespace mo::front::tensorflow
