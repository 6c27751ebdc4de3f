#pragma once

#include <string>
#include <vector>

#include "core/graph/graph.hpp"
#include "driver/conversion.hpp"

namespace mo::tools {

/// What a model of TensorFlow writes to the log while it runs: its Print nodes. A conversion has no use for them; a run
/// computes what they show as well, and writes it as TensorFlow does: "message[value value …][…]".
class Prints {
 public:
  /// Makes a Result of each tensor that is shown, before any pass has changed the graph. Nodes in branches and loops,
  /// which may run never or often, are left out, with warning MO-RUN-0015.
  void collect(Graph& graph, DiagnosticSink& sink);
  /// Whether the Result was created here, and is not an output of the model.
  bool owns(const Node& result) const;
  /// The lines that the run writes. `values` are those of `graph`'s Results in their order; those of the model's
  /// outputs stay.
  Expected<std::vector<std::string>> take_lines(const Graph& graph, std::vector<Tensor>& values) const;

 private:
  struct Line {
    std::string message;
    std::vector<std::string> results;  ///< names of the Results
    std::int64_t most = 3;             ///< elements of each tensor that are written; less than 0: all
  };
  std::vector<Line> lines_;
};

}  // namespace mo::tools
