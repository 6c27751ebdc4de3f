#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/output_file.hpp"
#include "core/graph/graph.hpp"

namespace mo::tools {

/// How models of one framework are read to be rewritten, and written again. Implementations are stateless.
class ModelFormat {
 public:
  virtual ~ModelFormat() = default;

  /// "tf", as in --framework; the prefix of the graph's ops.
  virtual std::string_view framework() const = 0;
  virtual Expected<std::unique_ptr<Graph>> read(const std::string& path, DiagnosticSink& sink) const = 0;
  virtual Expected<void> write(const Graph& graph, OutputFile& file) const = 0;
  virtual Expected<std::string> text(const Graph& graph) const = 0;
  /// Forgets what TensorFlow's own tool forgets.
  virtual void drop_versions(Graph&) const {}
  /// Files beside the model that it refers to by names, relative to its folder.
  virtual std::set<std::string> companions(const Graph&) const { return {}; }

  /// Feeds and fetches as transforms name them: those that the user names, or else those of the model. Fetches that the user names are the outputs of the
  /// model from then on, where models have outputs.
  virtual Expected<std::vector<std::string>> inputs(const Graph& graph, const std::vector<std::string>& named) const = 0;
  virtual Expected<std::vector<std::string>> outputs(Graph& graph, const std::vector<std::string>& named) const = 0;
  /// More outputs of the model. Only where models have outputs.
  virtual Expected<void> add_outputs(Graph& graph, const std::vector<std::string>& references) const = 0;

  /// The graph as it is read for a conversion, with these outputs: one Result for each.
  virtual Expected<std::unique_ptr<Graph>> linked(const Graph& graph, const std::vector<std::string>& outputs, DiagnosticSink& sink) const = 0;
  /// The version of the operators that nodes have; 1 where a model does not say any.
  virtual std::int64_t operator_version(const Graph&) const { return 1; }
  /// Services::put_function.
  virtual Expected<std::vector<Value>> put_function(Graph& graph, const std::string& name, const std::string& prefix,
                                                    const std::vector<Value>& arguments) const = 0;
};

/// The format of a file, told by its content; a GraphDef when that does not tell.
const ModelFormat& format_of_file(const std::string& path);
/// The format that the graph was read from.
const ModelFormat& format_of_graph(const Graph& graph);

}  // namespace mo::tools
