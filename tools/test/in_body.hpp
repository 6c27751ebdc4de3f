#pragma once

#include "core/graph/graph.hpp"

namespace mo::test {

/// A graph whose only node is an If with copies of `graph` as branches, inferred: passes must do to a body what they do
/// to a whole model.
Expected<std::unique_ptr<Graph>> as_branches(const Graph& graph);

/// The branch of such a graph that is taken when the condition holds; none when the If itself was replaced.
const Graph* branch_of(const Graph& whole);

}  // namespace mo::test
