#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extensions/config/json_document.hpp"

namespace mo::object_detection {

using config::Place;

/// A protobuf message in text form, read without its schema: fields in their
/// order, repeated ones several times. A value is a message, or text: strings
/// are unquoted, everything else (numbers, words) is as it was written.
struct TextMessage {
  struct Field;
  Place place;
  std::vector<Field> fields;

  /// The first field of that name.
  const Field* find(std::string_view name) const;
};

struct TextMessage::Field {
  std::string name;
  Place place;
  bool is_message = false;
  bool is_string = false;  ///< was in quotes
  std::string text;
  TextMessage message;
};

/// Error MO-CONFIG-0200, located at `file`:line:column.
Expected<TextMessage> parse_text_message(std::string_view text, std::string_view file);

}  // namespace mo::object_detection
