#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::transformations {

/// An input of the model and the output that has its value for the next run, by the names that users know.
struct StatePair {
  std::string input;
  std::string output;
};

/// Both names, one after the other, as nGraph's MakeStateful calls the variable.
std::string variable_of(const StatePair& pair);

/// Reads "{'input':'output','input2':'output2'}", with or without quotation marks. Error MO-CONFIG-0050, which calls
/// the pass by name.
Expected<std::vector<StatePair>> parse_state_pairs(std::string_view text, std::string_view pass);

/// Inputs of `graph` that hold the cache of a decoder, by the names that exporters give them, each with its output;
/// in the order of the inputs. An input that is called so and has no output is left out, as is the cache of an encoder,
/// which no step changes.
std::vector<StatePair> caches_of(const Graph& graph);

/// Inputs that hold what a decoder computes of the output of an encoder (past_key_values.N.encoder.key).
std::vector<Node> encoder_caches_of(const Graph& graph);

/// The names that caches_of reads in the variable of a decoder; empty ones when it is none.
StatePair cache_of_variable(std::string_view variable);

}  // namespace mo::transformations
