#pragma once

#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tensorflow {

/// Marks reads of variables that certainly come after an assignment to the same variable, along data and control edges:
/// attribute "@changed_by" with the name of the assignment. Owners of graphs count as assignments to the inputs that
/// their attribute "@assigns" lists. O(edges) for each variable that is assigned to; graphs that are too entangled for
/// that lose all reads of such a variable.
void mark_changed_reads(const Graph& graph);

/// The Parameters (by position) that nodes of a function's graph assign to, sorted.
std::vector<std::int64_t> assigned_parameters(const Graph& graph);

/// Marks all reads of a Parameter, also those in graphs inside.
void mark_reads_of_parameter(const Graph& graph, std::size_t parameter, std::string_view changed_by);

/// The input of an owner of graphs that is the first argument of its functions: after the condition, which loops do not
/// have.
std::size_t first_argument(const Node& owner);

}  // namespace mo::tensorflow
