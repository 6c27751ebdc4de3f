#pragma once

#include <memory>
#include <string>

#include "core/graph/graph.hpp"
#include "driver/options.hpp"

namespace mo::tools {

/// How a model that is reduced is read and written: as what its file says, where that can be written again, else in
/// text form.
class ModelForm {
 public:
  virtual ~ModelForm() = default;
  /// Of files: ".onnx".
  virtual std::string ending() const = 0;
  virtual std::string ending_for_people() const = 0;
  /// What the file holds. `for_people`: as text, where the form has one.
  virtual Expected<std::string> written(const Graph& graph, bool for_people) const = 0;

  virtual bool is_input(const Node& node) const = 0;
  virtual bool is_constant(const Node& node) const = 0;
  virtual Tensor value_of(const Node& constant) const = 0;
  virtual void set_value(const Node& constant, Tensor value) const = 0;
  virtual Value make_input(Graph& graph, const std::string& name, const TensorType& type) const = 0;
  /// Whether an attribute of a node may be left out.
  virtual bool may_drop(const Node& node, const std::string& attribute) const = 0;
  virtual void drop(const Node& node, const std::string& attribute) const = 0;
};

/// A model, and the form that fits it: ONNX, a GraphDef (binary or text), or for everything else the text form of the
/// graph with types.
struct ReducibleModel {
  std::unique_ptr<Graph> graph;
  std::unique_ptr<ModelForm> form;
  std::shared_ptr<void> keeps;  ///< what the graph needs to live
};
Expected<ReducibleModel> load_reducible(const Options& options, DiagnosticSink& sink);

}  // namespace mo::tools
