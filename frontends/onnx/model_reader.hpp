#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/files/file.hpp"
#include "core/graph/graph.hpp"
#include "frontends/common/wire.hpp"

namespace mo::onnx {

/// The ModelProto that a file holds: binary, or as text. Which it is is told by its content, and by its name where that
/// does not tell. Errors: MO-IO-*, those of other tools' models, MO-ONNX-0050.
Expected<std::unique_ptr<frontends::WireSource>> open_model(const std::string& path);
/// A copy of a message; `name` is for errors.
Expected<std::unique_ptr<frontends::WireSource>> source_in_memory(std::string_view bytes,
                                                                  const std::string& name = "the model in memory");

/// The bytes of a tensor. Errors: those of loading it.
Expected<std::unique_ptr<frontends::WireSource>> source_in_memory(const Tensor& bytes, const std::string& name);

/// Reads the ModelProto that fills `source`. `path` is where its external data is looked for; "" : nowhere.
Expected<std::unique_ptr<Graph>> read_model_message(frontends::WireSource& source, const std::string& path,
                                                    DiagnosticSink& sink, Links links = Links::refused);

/// A serialized ModelProto made from its text form. Error MO-ONNX-0050.
Expected<std::string> model_from_text(const std::string& text);
/// The other way. Error MO-ONNX-0063 for more than 2 GB.
Expected<std::string> model_to_text(const std::string& bytes);

}  // namespace mo::onnx
