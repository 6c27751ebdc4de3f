#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/diagnostics/diagnostic.hpp"
#include "phases/front/exported_shape.hpp"
#include "phases/partial_inference/exported_types.hpp"
#include "phases/partial_inference/reshape_sizes.hpp"

namespace mo::phases {

/// Repairs constants that hold sizes of the exported model, where the command line gave inputs other sizes. Each node
/// is compared with what it read in the exported model:
/// - Reshape: an element of a constant target that is a changed dimension of the data follows it (repair_reshape);
/// - Expand and BroadcastTo: likewise for the shape to broadcast to;
/// - Gather of flattened data by 0, 1, 2 …: a Reshape;
/// - Slice: an end at the exported size becomes the end of the dimension;
/// - Concat, recurrent layers and loops: a constant tensor (class token, initial state) whose rows are equal along the
///   batch is broadcast to the new one.
/// Constants are those that have the same value in both inferences. Nodes that cannot be repaired are reported.
class ChangedSizes final : public InferenceWatch {
 public:
  /// `graph` has its inputs in their new shapes, and is not inferred yet; a copy is inferred with the exported sizes.
  ChangedSizes(const Graph& graph, const OperatorTable& operators, std::string_view framework, const Settings& settings)
      : exported_(std::make_unique<ExportedTypes>(graph)), framework_(framework) {
    const std::vector<Node> inputs = graph.parameters();
    batch_is_assumed_ = std::any_of(inputs.begin(), inputs.end(), has_assumed_batch);
    exported_->infer(operators, framework, settings);
  }

  void reach(Rewriter& rewriter, const Node& node) override;
  /// Adds which constant holds an exported size, and an option that converts.
  void explain(const Node& node, Error& error) override;

  /// Warning MO-FRONT-0023 for each constant that still holds an exported size.
  void report(const Graph& graph, DiagnosticSink& sink);

 private:
  struct Kept {
    Diagnostic diagnostic;
    std::string note;
  };

  void repair_target(Rewriter& rewriter, const Node& node, const ExportedInputs& before);
  void repair_broadcast(Rewriter& rewriter, const Node& node, const ExportedInputs& before, bool bidirectional);
  void repair_slice(Rewriter& rewriter, const Node& node, const ExportedInputs& before);
  /// as_strided of PyTorch: Gather of flattened data by 0, 1, 2 … is a Reshape to the shape of the indices.
  void repair_gather(Rewriter& rewriter, const Node& node, const ExportedInputs& before);
  void repair_concat(Rewriter& rewriter, const Node& node, const ExportedInputs& before);
  void repair_loop(Rewriter& rewriter, const Node& node, const ExportedInputs& before);
  void repair_states(Rewriter& rewriter, const Node& node, const ExportedInputs& before);
  /// Gives input `i` of `node`, of which `axis` is unchanged, the size of dimension `like_axis` of input `like`.
  void stretch(Rewriter& rewriter, const Node& node, std::size_t i, std::int64_t axis, std::size_t like,
               std::int64_t like_axis);
  void set_input(Rewriter& rewriter, const Node& node, std::size_t i, const Value& value);
  void keep(const Node& node, std::size_t input, std::string what);

  std::unique_ptr<ExportedTypes> exported_;
  std::string framework_;
  /// The model itself may run with any batch, where a constant means what it says: only constants that would not fit
  /// the batch in any framework follow it (Concat, recurrent layers, loops).
  bool batch_is_assumed_ = false;
  MergedSizes merged_;
  std::vector<NodeId> kept_order_;
  std::unordered_map<NodeId, Kept> kept_;
};

}  // namespace mo::phases
