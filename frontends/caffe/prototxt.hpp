#pragma once

#include "core/proto_text/message.hpp"

/// What a prototxt says: layers of any fork keep their parameters.
namespace mo::caffe {

using TextPlace = proto_text::Place;
using TextMessage = proto_text::Message;
using TextField = proto_text::Field;
using TextValue = proto_text::Value;
using Word = proto_text::Word;

/// Parses a whole text. Error MO-CAFFE-0001 with line and column: not protobuf text, or too much of it
/// (proto_text::parse).
Expected<TextMessage> parse_prototxt(std::string_view text);

/// An error at a place of the text.
template <class... Args>
[[nodiscard]] Diagnostic error_at(TextPlace place, std::string_view code, fmt::format_string<Args...> text,
                                  Args&&... args) {
  Diagnostic failed = error(code, text, std::forward<Args>(args)...);
  failed.message = fmt::format("line {}, column {}: {}", place.line, place.column, failed.message);
  return failed;
}

// -- values of known fields; MO-CAFFE-0002 with the place for a value of another kind ---------------------------------

Expected<std::int64_t> integer_of(const TextValue& value, const TextField& field);
Expected<double> real_of(const TextValue& value, const TextField& field);
/// A string, or an identifier.
Expected<std::string> text_of(const TextValue& value, const TextField& field);
Expected<const TextMessage*> message_of(const TextValue& value, const TextField& field);

/// The value of a field that occurs once; `fallback` when it is missing. The last one counts when it is there several
/// times.
Expected<std::string> text_field(const TextMessage& message, std::string_view name, std::string fallback = {});
Expected<std::int64_t> integer_field(const TextMessage& message, std::string_view name, std::int64_t fallback);

}  // namespace mo::caffe
