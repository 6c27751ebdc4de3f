#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/diagnostics/expected.hpp"

/// Protobuf text without a schema: what a prototxt says, with names as they stand there. Layers of any fork keep their parameters.
namespace mo::caffe {

/// A place in the text, both counted from 1.
struct TextPlace {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct TextMessage;

/// `Word`: an identifier, which is an enumerator (MAX) or, for a number, inf or nan.
struct Word {
  std::string text;
};
using TextValue = std::variant<std::int64_t, double, bool, Word, std::string, std::unique_ptr<TextMessage>>;

/// All neighbouring occurrences of one field: `dim: 1 dim: 3` is one of them, as `dim: [1, 3]` is.
struct TextField {
  std::string name;
  TextPlace place;
  std::vector<TextValue> values;
  std::vector<TextPlace> places;  ///< of the values

  /// Where one of `values` stands.
  TextPlace place_of(const TextValue& value) const;
};

struct TextMessage {
  std::vector<TextField> fields;
  TextPlace place;

  /// Calls `fn(value, field)`, which returns Expected<void>, for each value of the fields called `name`.
  template <class Fn>
  Expected<void> each(std::string_view name, Fn&& fn) const {
    for (const TextField& field : fields) {
      if (field.name != name) continue;
      for (const TextValue& value : field.values) MO_TRY(fn(value, field));
    }
    return {};
  }
  bool has(std::string_view name) const;
};

/// Parses a whole text. Error MO-CAFFE-0001 with line and column: not protobuf text, nested more than 100 deep, too many values.
Expected<TextMessage> parse_prototxt(std::string_view text);

/// An error at a place of the text.
template <class... Args>
[[nodiscard]] Diagnostic error_at(TextPlace place, std::string_view code, fmt::format_string<Args...> text, Args&&... args) {
  Diagnostic failed = error(code, text, std::forward<Args>(args)...);
  failed.message = fmt::format("line {}, column {}: {}", place.line, place.column, failed.message);
  return failed;
}

// -- values of known fields; MO-CAFFE-0002 with the place for a value of another kind -----------------------------------------------

Expected<std::int64_t> integer_of(const TextValue& value, const TextField& field);
Expected<double> real_of(const TextValue& value, const TextField& field);
Expected<bool> flag_of(const TextValue& value, const TextField& field);
/// A string, or an identifier.
Expected<std::string> text_of(const TextValue& value, const TextField& field);
Expected<const TextMessage*> message_of(const TextValue& value, const TextField& field);

/// The value of a field that occurs once; `fallback` when it is missing. The last one counts when it is there several times.
Expected<std::string> text_field(const TextMessage& message, std::string_view name, std::string fallback = {});
Expected<std::int64_t> integer_field(const TextMessage& message, std::string_view name, std::int64_t fallback);

}  // namespace mo::caffe
