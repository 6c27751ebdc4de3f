#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/assembly.hpp"
#include "graph_transforms/engine/services.hpp"
#include "tools/transform/model_format.hpp"

namespace mo::tools {

/// Computes parts of a model: the operators are translated as for a conversion, and executed by the portable kernels.
class ModelEvaluation final : public graph_transforms::Services {
 public:
  explicit ModelEvaluation(const ModelFormat& format) : format_(format) {}

  bool can_evaluate(const Node& node) const override;
  std::vector<std::optional<Tensor>> evaluate(const std::vector<Value>& values,
                                              std::vector<Diagnostic>& why_not) const override;
  std::vector<PartialShape> shapes_of(const std::vector<Value>& values) const override;
  Expected<Tensor> variable(const std::string& checkpoint, const std::string& key,
                            const std::string& slice) const override;
  Expected<std::vector<Value>> put_function(Graph& graph, const std::string& name, const std::string& prefix,
                                            const std::vector<Value>& arguments) const override {
    return format_.put_function(graph, name, prefix, arguments);
  }
  std::int64_t operator_version(const Graph& graph) const override { return format_.operator_version(graph); }
  Expected<std::vector<std::string>> add_outputs(Graph& graph,
                                                 const std::vector<std::string>& references) const override {
    return format_.add_outputs(graph, references);
  }

 private:
  const ModelFormat& format_;
  /// made when first needed: the tables of operators take longer than many a transform
  mutable std::unique_ptr<Assembly> assembly_;
};

/// The tensors that `references` name, "node" or "node:1"; an output that is not read yet is created. Error MO-GTT-0018
/// for a node that is not there.
Expected<std::vector<Value>> tensors_of(Graph& graph, const std::vector<std::string>& references);

/// What these tensors (at least one) are computed from, with operators translated, in the model's own layout, so that
/// it can be executed: one Parameter for each Placeholder, one Result for each tensor, in this order. Errors: those of
/// a conversion up to partial inference.
Expected<std::unique_ptr<Graph>> executable_graph(const std::vector<Value>& outputs);

}  // namespace mo::tools
