#pragma once

#include <string>
#include <string_view>

#include "core/diagnostics/expected.hpp"

namespace mo::tensorflow {

/// The messages that may be written as protobuf text.
enum class TextMessage { graph_def, meta_graph, saved_model };

/// Text -> serialized message. Unknown fields are skipped: newer versions of TensorFlow have more. Error MO-TF-0002
/// with line and column.
Expected<std::string> bytes_from_text(const std::string& text, TextMessage kind);

/// Serialized message -> text, as protobuf prints it: maps by key, unknown fields by number. Error MO-TF-0052 for bytes
/// that are no such message or more than protobuf takes (2 GB).
Expected<std::string> text_from_bytes(std::string_view bytes, TextMessage kind);

}  // namespace mo::tensorflow
