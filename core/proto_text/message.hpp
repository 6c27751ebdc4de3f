#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/diagnostics/expected.hpp"

/// Protobuf text without a schema: what a text says, with names as they stand there. Messages of any fork keep their
/// fields.
namespace mo::proto_text {

/// A place in the text, both counted from 1; columns in bytes.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct Message;

/// An identifier, which is an enumerator (MAX) or, for a number, inf or nan.
struct Word {
  std::string text;
};
using Value = std::variant<std::int64_t, double, bool, Word, std::string, std::unique_ptr<Message>>;

/// "an integer", "a message" …, for messages.
std::string_view kind_of(const Value& value);

/// All neighbouring occurrences of one field: `dim: 1 dim: 3` is one of them, as `dim: [1, 3]` is. The name of an
/// extension keeps its brackets.
struct Field {
  std::string name;
  Place place;
  std::vector<Value> values;
  std::vector<Place> places;  ///< of the values

  /// Where one of `values` stands.
  Place place_of(const Value& value) const;
};

struct Message {
  std::vector<Field> fields;
  Place place;

  /// Calls `fn(value, field)`, which returns Expected<void>, for each value of the fields called `name`.
  template <class Fn>
  Expected<void> each(std::string_view name, Fn&& fn) const {
    for (const Field& field : fields) {
      if (field.name != name) continue;
      for (const Value& value : field.values) MO_TRY(fn(value, field));
    }
    return {};
  }
  bool has(std::string_view name) const;
};

/// How the owner of a text says what is wrong with it: an error with a code of its own.
using Complain = std::function<Diagnostic(Place place, const std::string& what)>;

/// Parses a whole text. It may come from anybody: errors for what is not protobuf text, for messages nested more than
/// 100 deep, and for more than 2^19 values. The first error ends it.
Expected<Message> parse(std::string_view text, const Complain& complain);

}  // namespace mo::proto_text
