#pragma once

#include "core/pass/pass_manager.hpp"
#include "core/registry/registry.hpp"
#include "extensions/config/descriptor.hpp"
#include "extensions/config/sub_graph_match.hpp"

namespace mo::config {

/// Pass "ConfigOps": every match of a descriptor with "op" becomes one op. A registered op gets the custom attributes
/// as its attributes; an unknown one becomes a custom op of op set "extension" that carries them, and the sub-graph
/// lives on as its hidden body, for inference and the executor. Inputs and outputs that the descriptor does not list
/// are found. Errors: MO-CONFIG-0018 (an attribute that no IR can hold), MO-CONFIG-0019 (tensors cross the border where
/// the descriptor lists none), MO-CONFIG-0023 (a start point with several inputs), MO-CONFIG-0024.
Pass config_ops(const Registry& registry);

/// The passes that put JSON replacers into their place among the others: ConfigReplacementStart,
/// ConfigReplacementFinish, ControlFlowStart. `before_control_flow`: passes of the framework that must run after the
/// last of them.
std::vector<Pass> replacement_anchors(std::vector<std::string> before_control_flow);

/// Each descriptor has an op, or a replacer of its id. Error MO-CONFIG-0009 with the nearest id.
Expected<void> check_ids(const std::vector<Descriptor>& descriptors, const PassManager& passes);

/// What a match computes, as a closed graph: Parameter i is input i, Result i output i. Constants outside that it reads
/// come along. Error MO-CONFIG-0019.
Expected<Body> body_of(const SubgraphMatch& match);

/// Whether a pass does what descriptors of a configuration ask for: the replacer of an id, or "ConfigOps".
bool follows_configuration(const Pass& pass);

}  // namespace mo::config
