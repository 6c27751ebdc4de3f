#pragma once

#include <memory>

#include "core/graph/graph.hpp"
#include "core/tensor/file.hpp"
#include "frontends/common/wire.hpp"

namespace mo::onnx {

/// Reads the ModelProto that fills `source`. `path` is where its external data is looked for; "" : nowhere.
Expected<std::unique_ptr<Graph>> read_model_message(frontends::WireSource& source, const std::string& path, DiagnosticSink& sink,
                                                    Links links = Links::refused);

/// A serialized ModelProto made from its text form. Error MO-ONNX-0050.
Expected<std::string> model_from_text(const std::string& text);

}  // namespace mo::onnx
