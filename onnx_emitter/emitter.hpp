#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/registry/onnx_forms.hpp"

namespace mo::onnx_emitter {

/// Operator sets that can be written.
inline constexpr std::int64_t kOldestOpset = 11;
inline constexpr std::int64_t kUsualOpset = 17;
inline constexpr std::int64_t kNewestOpset = 21;

struct EmitOptions {
  /// Version of the default operator set; unset: the usual one, or the oldest newer one that has a form of each op.
  std::optional<std::int64_t> opset = {};
  /// Forms of ops that plugins bring; they come before mo's own.
  const OnnxForms* forms = nullptr;
  /// Values of inputs that need not be given, by the Parameter.
  std::vector<std::pair<Node, Tensor>> defaults = {};
  /// Whether unknown ranks of inputs and outputs are errors. ONNX requires the ranks; engines compute models without
  /// them all the same, by which forms of ops can be judged.
  bool needs_ranks = true;
};

struct OnnxGraph {
  std::unique_ptr<Graph> graph;
  std::int64_t opset = kUsualOpset;  ///< that its operators are of
  /// "Gelu 'block/act'": nodes because of which the operator set is newer than the usual one
  std::vector<std::string> need_newer_opset = {};
};

/// The graph as one of ONNX operators, for the writer of ONNX models (frontends/onnx/model_proto). `graph` has types
/// and channels-first images: it has gone through the middle phase of a conversion, or is an IR that was read. It has
/// no states: they are inputs and outputs (pass StatefulToStateless).
///
/// Inputs and outputs keep their order, names, element types and shapes; tensors keep the first of their names.
/// Constants share the bytes of the graph. Errors, all at once: MO-EMIT-0040 for ops and forms that no operator set
/// expresses, MO-EMIT-0041 for those that a newer one than the given one does; MO-EMIT-0044 for inputs and outputs of
/// unknown rank; MO-PLUGIN-0037 for forms of mo's ops that a plugin brings without saying that it overrides; those of
/// plugins.
Expected<OnnxGraph> to_onnx(const Graph& graph, const EmitOptions& options = {});

/// Whether an op of the IR has a form in ONNX, if not every form of it.
bool has_onnx_form(const OpType& type);

/// The lowest version of the format that has the operator set (VERSION_TABLE of ONNX).
std::int64_t format_version_of(std::int64_t opset);

}  // namespace mo::onnx_emitter
