#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/files/file.hpp"
#include "core/graph/graph.hpp"

namespace mo::onnx {

/// Reads an ONNX model: a graph of framework nodes, functions inlined, nothing interpreted.
///
/// Nodes are dynamic ops "onnx::<op_type>" or "<domain>::<op_type>" with the attributes of the model, "@opset" (version
/// of the domain's operators), "@domain" outside of the default domain, and "@captures" (names of the outer tensors
/// that its bodies use; the inputs after its own ones, in this order). A body has, after its formal inputs, a Parameter
/// for each captured tensor that it uses, of that name. Initializers are Const nodes; large ones stay in the file.
/// `Graph::properties` keeps what the model says beside its graph.
///
/// A file that ends with .onnxtxt, .textproto, .txtpb, .pbtxt or .prototxt is read as protobuf text.
Expected<std::unique_ptr<Graph>> read_model(const std::string& path, DiagnosticSink& sink,
                                            Links links = Links::refused);

/// The same for a serialized model in memory; the tensors refer to a copy of it. There is no external data.
Expected<std::unique_ptr<Graph>> read_model_bytes(std::string_view bytes, DiagnosticSink& sink);

/// The same for a model in protobuf text. Error MO-ONNX-0050 with line and column for text that is no model.
Expected<std::unique_ptr<Graph>> read_model_text(const std::string& text, DiagnosticSink& sink);

}  // namespace mo::onnx
