#pragma once

#include "core/graph/graph.hpp"

namespace mo {

/// The Parameters of a body take what is known outside, without symbols, which mean nothing on the other side of its
/// border.
void give_facts(Graph& body, const std::vector<TensorFact>& inputs);
/// What is known of the Results.
std::vector<TensorFact> facts_of_results(const Graph& body);
/// Infers a body as it is: Parameters take the facts, all nodes are inferred.
Expected<std::vector<TensorFact>> infer_body_in_place(Graph& body, const std::vector<TensorFact>& inputs);

}  // namespace mo
