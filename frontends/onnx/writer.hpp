#pragma once

#include <string>

#include "core/graph/graph.hpp"

namespace mo::onnx {

/// Writes a graph as `read_model` gives it (nodes "onnx::<op_type>", Parameters, Const, Results) back as a model: its
/// nodes in topological order, tensors by their first names (those without one get a name), operator sets as the nodes
/// say. What the model says beside its graph (producer, metadata, texts) is left out, and functions stay inlined. All
/// weights are in the message. Errors: MO-ONNX-0052 (an attribute or element type that no ONNX model can hold), MO-IO-…
/// of loading weights.
Expected<std::string> model_bytes(const Graph& graph);
/// The same as protobuf text, for people. Errors as above, MO-ONNX-0063 for a model of more than 2 GB.
Expected<std::string> model_text(const Graph& graph);

}  // namespace mo::onnx
