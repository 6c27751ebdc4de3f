#pragma once

#include <memory>

#include "core/files/file.hpp"
#include "core/graph/graph.hpp"
#include "frontends/common/wire.hpp"

namespace mo::onnx {

/// A file that holds a model: binary, or as text.
struct OpenedModel {
  FilePtr binary;  ///< null: text
  std::string text;
};
/// Whether it is text is told by its content, and by its name where that does not tell. Errors: MO-IO-*, those of other
/// tools' models.
Expected<OpenedModel> open_model(const std::string& path);

/// Reads the ModelProto that fills `source`. `path` is where its external data is looked for; "" : nowhere.
Expected<std::unique_ptr<Graph>> read_model_message(frontends::WireSource& source, const std::string& path,
                                                    DiagnosticSink& sink, Links links = Links::refused);

/// A serialized ModelProto made from its text form. Error MO-ONNX-0050.
Expected<std::string> model_from_text(const std::string& text);
/// The other way. Error MO-ONNX-0063 for more than 2 GB.
Expected<std::string> model_to_text(const std::string& bytes);

}  // namespace mo::onnx
