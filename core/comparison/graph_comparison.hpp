#pragma once

#include <string>
#include <vector>

#include "core/comparison/closeness.hpp"
#include "core/graph/graph.hpp"

namespace mo {

/// What is compared besides the ops, their class versions and how they are connected. nGraph's FunctionsComparator.
struct CompareOptions {
  bool element_types = true;
  bool shapes = true;
  bool attributes = false;    ///< with bodies and port maps
  bool constants = false;     ///< elements of constants
  bool names = false;         ///< friendly names of what computes the outputs
  bool tensor_names = false;  ///< of each tensor
  bool runtime_info = false;  ///< which runtime attributes nodes have
  /// also inputs of the model without readers; nGraph's comparator knows only what outputs lead to
  bool unread_inputs = true;
  Closeness closeness = closeness::kSame;  ///< of elements
  std::size_t most = 10;                   ///< differences told before the comparison ends
};

/// One difference: where, as the way from an output of the model, and what.
struct GraphDifference {
  std::string path;  ///< "output 0 <- Add 'sum' <- input 1: Multiply 'scaled'"
  std::string what;
  std::string to_string() const { return path + ": " + what; }
};

/// Compares two graphs from their outputs up, breadth first; outputs, inputs of the model and states belong together by
/// their order. Inputs of ops are compared by position, also those of commutative ones. Empty: no difference. O(nodes +
/// edges), and the bytes of constants.
std::vector<GraphDifference> compare_graphs(const Graph& actual, const Graph& expected,
                                            const CompareOptions& options = {});

}  // namespace mo
