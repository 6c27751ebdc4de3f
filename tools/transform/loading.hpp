#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/transform/model_format.hpp"

namespace mo::tools {

/// What the command line says of the model and of what is fed and fetched.
struct LoadRequest {
  std::string in_graph;  ///< as it was typed
  std::string input_proto;
  std::string saved_model_tags;
  std::string inputs;
  std::string outputs;
  bool freeze = false;
  std::string input_checkpoint;

  ModelFiles files() const;
};

/// A model that is to be changed, in the format in which it will be written.
struct LoadedModel {
  const ModelFormat* format = nullptr;
  std::unique_ptr<Graph> graph;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

/// Reads the model, and freezes it if requested. Errors: of the readers, MO-GTT-0018, MO-GTT-0068 (a MetaGraph that is
/// not to be frozen), MO-GTT-0069 (flags of freezing that make no sense), those of `freeze`.
Expected<LoadedModel> load_model_file(const LoadRequest& request, DiagnosticSink& sink);

/// Those of the names that mean no node of the graph.
std::vector<std::string> unknown_ends(const Graph& graph, const std::vector<std::string>& names);

/// A typo in a name would be silently obeyed: the real output loses its name, or more is kept than intended. A
/// transform may create a node of the name. Error MO-GTT-0018.
Expected<void> check_ends(const Graph& graph, const std::string& option,
                          const std::vector<std::string>& unknown_before);

/// Prefixes the first message with what was being done.
Error while_doing(Error failed, const std::string& what);

}  // namespace mo::tools
