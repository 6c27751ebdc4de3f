#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/comparison/closeness.hpp"
#include "core/graph/graph.hpp"

namespace mo::fuzz {

/// Results of a graph by the name of its output ("conv/sink_port_0"), which comes from the model, whatever node
/// computes it.
using Results = std::map<std::string, Tensor>;

/// Whether running it costs little: all shapes known, no tensor of more than 64 K elements, and the work of a node is
/// bounded by that.
bool is_small(const Graph& graph);

/// Numbers for a graph's inputs: small, both signs, the same for inputs of the same name. Renaming maps an input's name
/// to the one that chooses its numbers. Nothing when the graph is not small, has state or random numbers, or an op
/// cannot be evaluated.
std::optional<Results> results_of(const Graph& graph, const std::function<std::string(std::string)>& renaming = {});

/// Another form of a model, and a model that another pass than usual has changed.
inline constexpr ClosenessByType kOfVariants{.single = closeness::part_of_largest(1e-4),
                                             .half = closeness::part_of_largest(2e-3)};
inline constexpr ClosenessByType kOfPasses{.single = closeness::part_of_largest(1e-3),
                                           .half = closeness::part_of_largest(2e-2)};

/// A finding unless both have the same results: names, types, shapes, and close numbers.
void require_same(const Results& wanted, const Results& found, const ClosenessByType& closeness,
                  const std::string& what);

}  // namespace mo::fuzz
