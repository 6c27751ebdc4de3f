#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/pass/settings.hpp"
#include "core/registry/operator_table.hpp"
#include "phases/partial_inference/inference_watch.hpp"

namespace mo::phases {

/// What a node read in the exported model.
struct ExportedInputs {
  std::vector<PartialShape> shapes;
  /// Integers at inputs 1 and beyond where they are known.
  std::vector<std::optional<std::vector<std::int64_t>>> integers;

  /// The exported size of dimension `axis` of input `i` of `node`, when it has another one now.
  std::optional<std::int64_t> changed_size(const Node& node, std::size_t i, std::size_t axis) const;
  /// Whether some input has another size.
  bool has_changed(const Node& node) const;
  /// The constant integers of input `i`: those that both inferences know.
  std::optional<std::vector<std::int64_t>> constant(const Node& node, std::size_t i) const;
};

/// The types of a model with the sizes that it was exported with: a copy of the graph is inferred with these.
class ExportedTypes final : public InferenceWatch {
 public:
  /// `graph` has its inputs in their new shapes, and is not inferred yet.
  explicit ExportedTypes(const Graph& graph);

  /// Infers the copy.
  void infer(const OperatorTable& operators, std::string_view framework, const Settings& settings);
  /// What is known of `node` of the original graph; null for nodes that were made since, and those that no walk
  /// reached.
  const ExportedInputs* inputs_of(const Node& node) const;

  void reach(Rewriter& rewriter, const Node& node) override;
  void explain(const Node&, Error&) override {}

 private:
  std::unique_ptr<Graph> copy_;
  std::unordered_map<NodeId, std::size_t> places_;  ///< of the original nodes
  std::vector<ExportedInputs> inputs_;              ///< by place, which is the id in the copy
};

}  // namespace mo::phases
