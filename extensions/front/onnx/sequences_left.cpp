#include <algorithm>
#include <array>

#include "core/rewrite.hpp"

namespace mo::front::onnx {
namespace {

constexpr std::size_t kListed = 20;

/// Nodes that make a sequence or an optional value stay until the nodes that read them were translated. A node that
/// still reads one does not support sequences: error MO-ONNX-0408 names it.
Expected<bool> report_left_sequences(Graph& graph, PassContext&) {
  constexpr std::array<std::string_view, 6> kMakers = {"onnx::SequenceConstruct", "onnx::SequenceEmpty",
                                                       "onnx::SequenceInsert",    "onnx::SequenceErase",
                                                       "onnx::SplitToSequence",   "onnx::Optional"};
  if (std::none_of(kMakers.begin(), kMakers.end(), [&](std::string_view maker) { return graph.has_op(maker); }))
    return false;
  const auto is_maker = [&](const Node& node) {
    return std::find(kMakers.begin(), kMakers.end(), node.type()) != kMakers.end();
  };
  bool changed = false;
  std::vector<Diagnostic> found;
  for (const Node node : graph.nodes()) {
    if (!is_maker(node)) continue;
    if (node.output().disconnected()) {
      erase_if_dead(node);
      changed = true;
      continue;
    }
    const Node reader = node.output().get_destinations().front().node();
    if (is_maker(reader)) continue;  // that one is reported
    const std::string_view kind = node.is("onnx::Optional") ? "an optional value" : "a sequence";
    if (reader.is<Result>())
      found.push_back(
          node.error("MO-ONNX-0408", "output '{}' is {}, and an IR has only tensors as results", reader.name(), kind)
              .hint("choose tensors as outputs of the model with --output"));
    else
      found.push_back(
          node.error("MO-ONNX-0408", "{} '{}' reads {}, and an IR hands on only tensors", reader.type(), reader.name(),
                     kind)
              .hint("cut the model before it with --output, or export it without sequences and optional values"));
    if (found.size() == kListed) break;
  }
  if (!found.empty()) return Error(std::move(found));
  return changed;
}

}  // namespace

void register_sequences_left(PassRegistry& passes) {
  passes.add(graph_pass("OnnxSequencesLeft")
                 .phase(Phase::inference)
                 .run_after({"PartialInference"})
                 .run(report_left_sequences));
}

}  // namespace mo::front::onnx
