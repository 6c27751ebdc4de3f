#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::tools {

/// Where a model is.
struct ModelFiles {
  std::string model;
  std::string topology;           ///< of a .caffemodel; empty: found beside it
  std::vector<std::string> tags;  ///< of the graph of a SavedModel
};

/// Where it goes.
struct Destination {
  std::string path;
  bool as_text = false;  ///< protobuf text
};

/// A graph inside of the model: a function of its library, the body of a loop.
struct InnerGraph {
  std::string name;
  Graph& graph;
  std::vector<std::string> inputs;   ///< what it is given
  std::vector<std::string> outputs;  ///< what it gives, and what else has to keep its name
};

/// How models of one framework are read to be rewritten, and written again. Implementations are stateless.
class ModelFormat {
 public:
  virtual ~ModelFormat() = default;

  /// "tf", as in --framework; the prefix of the graph's ops.
  virtual std::string_view framework() const = 0;
  virtual Expected<std::unique_ptr<Graph>> read(const ModelFiles& files, DiagnosticSink& sink) const = 0;
  /// Writes a graph that was read from `files`: all that belongs to the model, or nothing.
  virtual Expected<void> save(const Graph& graph, const ModelFiles& files, const Destination& destination) const = 0;
  /// Forgets what TensorFlow's own tool forgets.
  virtual void drop_versions(Graph&) const {}

  /// Feeds and fetches as transforms name them: those that the user names, or else those of the model. Fetches that the
  /// user names are the outputs of the model from then on, where models have outputs.
  virtual Expected<std::vector<std::string>> inputs(const Graph& graph,
                                                    const std::vector<std::string>& named) const = 0;
  virtual Expected<std::vector<std::string>> outputs(Graph& graph, const std::vector<std::string>& named) const = 0;
  /// What transforms must keep besides: others find it by its name.
  virtual std::vector<std::string> kept(const Graph&) const { return {}; }
  /// More outputs of the model. Only where models have outputs.
  virtual Expected<std::vector<std::string>> add_outputs(Graph& graph,
                                                         const std::vector<std::string>& references) const = 0;

  /// Calls `edit` for each graph inside of the model, inner ones first, and puts what becomes of them into it. Errors:
  /// those of `edit`, and of reading and writing these graphs. By default there are none.
  virtual Expected<void> edit_inner_graphs(Graph&, const std::function<Expected<void>(InnerGraph&)>&) const {
    return {};
  }

  /// The graph as it is read for a conversion, with these tensors of `graph` as outputs: one Result for each, in this
  /// order.
  virtual Expected<std::unique_ptr<Graph>> linked(const Graph& graph, const std::vector<Value>& outputs,
                                                  DiagnosticSink& sink) const = 0;
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
