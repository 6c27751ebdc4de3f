#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/files/file.hpp"

namespace mo::frontends {

/// Why a file cannot be a binary model of any framework although it was given as one: it is empty (MO-IO-0020), a Git
/// LFS pointer (MO-IO-0021), a web page or an error message of a server (MO-IO-0022), an archive (MO-IO-0023), protobuf
/// text (MO-IO-0024), or other text or a file of another well known format (MO-IO-0025).
struct NotBinaryModel {
  enum class Text : std::uint8_t {
    none,
    protobuf,  ///< it may be another form of the model
    other,     ///< of ASCII characters: malformed protobuf text, if it is any
  };
  Diagnostic reason;
  Text text = Text::none;
};

/// Nothing when the content gives no reason; it is looked at as `kind_of` does.
Expected<std::optional<NotBinaryModel>> why_not_binary_model(const FilePtr& file);

/// Error MO-IO-0022 about a file of ModelKind::server_answer.
Diagnostic server_answer(const std::string& path, std::string_view beginning);

/// Whether the beginning of a file looks like protobuf text: printable, and an identifier followed by ':' or '{'.
bool looks_like_protobuf_text(std::string_view beginning);

}  // namespace mo::frontends
