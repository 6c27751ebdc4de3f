#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontends/onnx/model_state.hpp"

namespace mo::onnx {

/// A ModelProto without its graph and functions.
struct ModelHeader {
  std::optional<std::int64_t> ir_version;
  OpsetImports imports;
  AttributeMap properties;  ///< texts and numbers, by the names of their fields
  AttributeMap metadata;
  std::optional<frontends::WireField> graph;
  std::vector<frontends::WireField> functions;
  bool has_training = false;
};
/// Errors: MO-ONNX-0001 (another kind of file, two graphs), MO-ONNX-0018 (too many functions), those of operator sets.
Expected<ModelHeader> read_model_header(frontends::WireSource& source, DiagnosticSink& sink);

/// A FunctionProto without its nodes.
struct FunctionHeader {
  std::string name;
  std::string domain;
  std::string overload;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> attributes;
  std::vector<frontends::WireField> defaults;  ///< AttributeProtos
  OpsetImports imports;
};
/// Errors: MO-ONNX-0013 (no name), MO-ONNX-0019 (too many inputs, outputs or attributes), those of operator sets.
Expected<FunctionHeader> read_function_header(frontends::WireSource& source, const frontends::WireField& message,
                                              DiagnosticSink& sink);

}  // namespace mo::onnx
