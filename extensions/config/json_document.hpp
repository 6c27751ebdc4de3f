#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/expected.hpp"

/// JSON that people write by hand: every value and key knows its line and column, so that each complaint about a config
/// says where.
namespace mo::config {

/// Where something begins in a file; both count from 1, columns in bytes.
struct Place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

enum class JsonKind : std::uint8_t { null, boolean, integer, real, text, array, object };
/// "an object", "a number" …, for messages.
std::string_view to_string(JsonKind kind);

/// A value with its place. Members keep their order and their keys are unique.
struct JsonValue {
  struct Member;
  JsonKind kind = JsonKind::null;
  Place place;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;   ///< of an integer too
  std::string text;  ///< of a number: as it was written
  std::vector<JsonValue> items;
  std::vector<Member> members;

  const JsonValue* find(std::string_view key) const;

  static JsonValue of(bool value);
  static JsonValue of(std::int64_t value);
  static JsonValue of(std::string value);
  static JsonValue array(std::vector<JsonValue> values);
  static JsonValue object();
  /// Adds the member, or changes it; of an object.
  void set(std::string_view key, JsonValue value);
};

struct JsonValue::Member {
  std::string key;
  Place place;
  JsonValue value;
};

/// Values inside of values.
inline constexpr int kMaxJsonDepth = 100;
/// Values in one config, and bytes of it: configs are small, a larger file is a mistake. A value takes about 130 bytes.
inline constexpr std::size_t kMaxJsonValues = 200'000;
/// Keys of one object: each look-up scans all of them.
inline constexpr std::size_t kMaxJsonKeys = 10'000;
inline constexpr std::size_t kMaxJsonBytes = std::size_t{16} << 20;

/// Reads RFC 8259 JSON (a byte order mark is skipped). Error MO-CONFIG-0002, located at `file`:line:column: not valid
/// JSON, a duplicate key, text after the end, deeper than kMaxJsonDepth, more than kMaxJsonValues or kMaxJsonKeys,
/// invalid UTF-8.
Expected<JsonValue> parse_json(std::string_view text, std::string_view file);

/// The same for a file. Error MO-CONFIG-0001 when it cannot be read or is larger than kMaxJsonBytes.
Expected<JsonValue> read_json(const std::string& path);

/// The whole file. Error MO-CONFIG-0001.
Expected<std::string> read_config_text(const std::string& path);

/// Text that reads back as the same value: indented by 4, ends with a line break. Numbers are as they were written.
std::string to_json_text(const JsonValue& value, bool sorted_keys = false);

/// "file:3:17".
std::string at(std::string_view file, Place place);

}  // namespace mo::config
