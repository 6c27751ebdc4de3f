#pragma once

#include <optional>
#include <vector>

#include "graph_transforms/engine/editor.hpp"

/// Small constants of a graph that is rewritten: axes, paddings, scalars. Nothing for a node that is no Const, or whose
/// value cannot be read.
namespace mo::graph_transforms {

std::optional<std::vector<std::int64_t>> integers_in(const Node& node);
/// The only element.
std::optional<double> single_number_in(const Node& node);
/// Two Consts of equal values, or one and the same node.
bool are_equal_constants(const Node& a, const Node& b);

}  // namespace mo::graph_transforms
