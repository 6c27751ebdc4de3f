#pragma once

#include "frontends/tensorflow/graph_def/functions.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "frontends/tensorflow/graph_def/library.hpp"
#include "tools/transform/model_format.hpp"

namespace mo::tools {

/// What all formats of TensorFlow share: they hold a GraphDef with its library of functions. `Base`: ModelFormat or
/// SingleFileFormat.
template <class Base>
class TensorFlowFormat : public Base {
 public:
  std::string_view framework() const final { return "tf"; }
  void drop_versions(Graph& graph) const final { tensorflow::drop_versions(graph); }
  Expected<std::vector<std::string>> add_outputs(Graph&, const std::vector<std::string>&) const final {
    MO_ASSERT(false, "a GraphDef has no outputs, and those of a SavedModel are in its signatures");
    return std::vector<std::string>();
  }
  Expected<std::vector<Value>> put_function(Graph& graph, const std::string& name, const std::string& prefix,
                                            const std::vector<Value>& arguments) const final {
    return tensorflow::put_function(graph, name, prefix, arguments);
  }
  Expected<void> edit_inner_graphs(Graph& graph, const std::function<Expected<void>(InnerGraph&)>& edit) const final {
    return tensorflow::edit_functions(graph, [&](tensorflow::FunctionGraph& function) {
      InnerGraph inner{function.name, *function.graph, function.inputs, function.outputs};
      return edit(inner);
    });
  }
};

}  // namespace mo::tools
