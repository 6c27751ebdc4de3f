#pragma once

#include <cstdint>
#include <memory>

#include "core/graph/graph.hpp"

namespace mo::onnx_emitter {

struct EmitOptions {
  /// Version of the default operator set.
  std::int64_t opset = 17;
};

/// The graph as one of ONNX operators, for the writer of ONNX models (frontends/onnx/model_proto). `graph` has types
/// and channels-first images: it has gone through the middle phase of a conversion, or is an IR that was read.
///
/// Inputs and outputs keep their order, names, element types and shapes; tensors keep the first of their names.
/// Constants share the bytes of the graph. Errors, all at once: MO-EMIT-0040 for ops and forms that no operator set
/// expresses, MO-EMIT-0041 for those that a newer one does.
Expected<std::unique_ptr<Graph>> to_onnx(const Graph& graph, const EmitOptions& options = {});

/// The lowest version of the format that has the operator set (VERSION_TABLE of ONNX).
std::int64_t format_version_of(std::int64_t opset);

/// Operator sets that can be written.
inline constexpr std::int64_t kOldestOpset = 11;
inline constexpr std::int64_t kNewestOpset = 21;

}  // namespace mo::onnx_emitter
