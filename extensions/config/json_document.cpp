#include "extensions/config/json_document.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>

#include "core/files/file.hpp"
#include "extensions/config/json_problem.hpp"

namespace mo::config {
namespace {

using Json = nlohmann::json;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Builds a document from the events of nlohmann's parser. Events have no locations: the cursor follows them, over text
/// that the parser has accepted.
class JsonBuilder {
 public:
  JsonBuilder(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  Expected<JsonValue> build() {
    const bool good = Json::sax_parse(text_.begin(), text_.end(), this);
    if (problem_) return *std::move(problem_);
    MO_ASSERT(good, "the parser stopped without a reason");
    // It takes a zero byte for the end.
    if (const std::size_t rest = behind_space(end_); rest < text_.size()) return behind_the_end(rest);
    return std::move(document_);
  }

  // What the parser calls; false stops it.
  bool null() {
    return add(JsonKind::null, 4, [](JsonValue&) {});
  }
  bool boolean(bool truth) {
    return add(JsonKind::boolean, truth ? 4 : 5, [&](JsonValue& value) { value.boolean = truth; });
  }
  bool number_integer(std::int64_t number) {
    return add(JsonKind::integer, length_of_integer(), [&](JsonValue& value) { set(value, number); });
  }
  bool number_unsigned(std::uint64_t number) {
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return integer_too_large();
    return number_integer(static_cast<std::int64_t>(number));
  }
  bool number_float(double number, const std::string& written) {
    if (written.find_first_of(".eE") == std::string::npos) return integer_too_large();
    return add(JsonKind::real, written.size(), [&](JsonValue& value) {
      value.text = written;
      value.real = number;
    });
  }
  bool string(std::string& text) {
    return add(JsonKind::text, length_of_string(), [&](JsonValue& value) { value.text = std::move(text); });
  }
  bool binary(Json::binary_t&) { return false; }  // no JSON text has it
  bool start_object(std::size_t) { return open(JsonKind::object); }
  bool start_array(std::size_t) { return open(JsonKind::array); }
  bool key(std::string& text) {
    const std::size_t start = next_token();
    const Place place = place_of(start);
    Open& object = open_.back();
    if (!object.keys.insert(text).second)
      return fail(place, fmt::format("duplicate key \"{}\"", text), "keep one of them");
    if (object.keys.size() > kMaxJsonKeys)
      return fail(place, fmt::format("an object has more than {} keys", kMaxJsonKeys),
                  "configs are small: is this the right file?");
    end_ = start + length_of_string();
    last_number_.reset();
    object.key = std::move(text);
    object.key_place = place;
    object.has_key = true;
    return true;
  }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool parse_error(std::size_t characters, const std::string&, const Json::exception& why) {
    std::size_t token = behind_space(end_);
    const std::size_t last = characters > 0 ? characters - 1 : 0;
    const bool is_too_large = dynamic_cast<const Json::out_of_range*>(&why) != nullptr;
    const auto separated = [&](char separator) {
      if (token >= text_.size() || text_[token] != separator) return false;
      token = behind_space(token + 1);
      return true;
    };
    // "01" and "1x": the parser ends the number where it can.
    if (last_number_ && token == end_ && token < text_.size() &&
        (text_[token] == '.' || std::isalnum(static_cast<unsigned char>(text_[token])) != 0))
      return fail(place_of(*last_number_), "this is not a number", "write 12, -3, 0.5 or 1e-3");
    if (open_.empty() && is_complete_) {
      problem_ = behind_the_end(token);
      return false;
    }
    const Open* open = open_.empty() ? nullptr : &open_.back();
    const bool in_object = open && open->value.kind == JsonKind::object;
    const bool wants_key = in_object && !open->has_key;
    if (in_object && open->has_key && !separated(':'))
      return fail(place_of(token), fmt::format("a colon is missing after the key \"{}\"", open->key),
                  "write \"key\": value");
    if (open && !open->has_key && open->has_values() && !separated(','))
      return fail(place_of(token), fmt::format("a comma or {} is missing here", in_object ? '}' : ']'));
    JsonProblem problem(text_, token, last);
    wants_key ? problem.no_key() : problem.no_value(is_too_large);
    return fail(place_of(problem.where), problem.what, problem.hint);
  }

 private:
  /// An object or a list whose end has not come yet.
  struct Open {
    JsonValue value;
    std::set<std::string, std::less<>> keys;
    std::string key;  ///< whose value comes next
    Place key_place;
    bool has_key = false;
    bool has_values() const { return !value.items.empty() || !value.members.empty(); }
  };

  bool fail(Place place, std::string_view what, std::string_view hint = "check the file with any JSON tool") {
    problem_ = error("MO-CONFIG-0002", "{}", what).hint("{}", hint).in_file(at(file_, place));
    return false;
  }
  bool integer_too_large() {
    return fail(place_of(next_token()), "the integer is too large",
                "write a number of 64 bits, or a real with a decimal point");
  }
  Diagnostic behind_the_end(std::size_t offset) {
    fail(place_of(offset), "there is text after the end of the document",
         "a config is one JSON value; remove what follows it");
    return *problem_;
  }

  std::size_t behind_space(std::size_t offset) const {
    while (offset < text_.size() && is_space(text_[offset])) ++offset;
    return offset;
  }
  /// Where the token of the current event begins.
  std::size_t next_token() const {
    std::size_t start = behind_space(end_);
    while (start < text_.size() && (text_[start] == ',' || text_[start] == ':')) start = behind_space(start + 1);
    return start;
  }
  std::size_t length_of_integer() const {
    const std::size_t start = next_token();
    std::size_t end = start + (text_[start] == '-' ? 1 : 0);
    if (text_[end] == '0') return end + 1 - start;
    while (end < text_.size() && text_[end] >= '0' && text_[end] <= '9') ++end;
    return end - start;
  }
  std::size_t length_of_string() const {
    const std::size_t start = next_token();
    std::size_t i = start + 1;
    while (text_[i] != '"') i += text_[i] == '\\' ? 2 : 1;
    return i + 1 - start;
  }
  /// Lines are counted once: places are asked for from the beginning to the end, apart from the last one, which an
  /// error has.
  Place place_of(std::size_t offset) {
    if (offset < counted_) counted_ = line_start_ = 0, line_ = 1;
    for (; counted_ < offset; ++counted_)
      if (text_[counted_] == '\n') {
        ++line_;
        line_start_ = counted_ + 1;
      }
    return {line_, static_cast<std::uint32_t>(offset - line_start_ + 1)};
  }

  void set(JsonValue& value, std::int64_t number) const {
    value.integer = number;
    value.real = static_cast<double>(number);
    value.text = text_.substr(next_token(), length_of_integer());
  }
  bool check_limits(Place place) {
    if (++values_ > kMaxJsonValues)
      return fail(place, fmt::format("there are more than {} values", kMaxJsonValues),
                  "configs are small: is this the right file?");
    if (open_.size() <= static_cast<std::size_t>(kMaxJsonDepth)) return true;
    return fail(place, fmt::format("values are nested more than {} deep", kMaxJsonDepth),
                "write the config with less nesting");
  }
  template <class Fill>
  bool add(JsonKind kind, std::size_t length, Fill fill) {
    JsonValue value;
    value.kind = kind;
    const std::size_t start = next_token();
    value.place = place_of(start);
    if (!check_limits(value.place)) return false;
    fill(value);
    last_number_ = kind == JsonKind::integer || kind == JsonKind::real ? std::optional(start) : std::nullopt;
    end_ = start + length;
    put(std::move(value));
    return true;
  }
  bool open(JsonKind kind) {
    Open opened;
    opened.value.kind = kind;
    const std::size_t start = next_token();
    opened.value.place = place_of(start);
    if (!check_limits(opened.value.place)) return false;
    end_ = start + 1;
    last_number_.reset();
    open_.push_back(std::move(opened));
    return true;
  }
  bool close() {
    end_ = behind_space(end_) + 1;
    last_number_.reset();
    JsonValue value = std::move(open_.back().value);
    open_.pop_back();
    put(std::move(value));
    return true;
  }
  void put(JsonValue value) {
    if (open_.empty()) {
      document_ = std::move(value);
      is_complete_ = true;
      return;
    }
    Open& parent = open_.back();
    if (parent.value.kind == JsonKind::array) {
      parent.value.items.push_back(std::move(value));
      return;
    }
    parent.value.members.push_back({std::move(parent.key), parent.key_place, std::move(value)});
    parent.has_key = false;
  }

  std::string_view text_;
  std::string_view file_;
  std::size_t end_ = 0;                     ///< after the token of the last event
  std::optional<std::size_t> last_number_;  ///< where the last value begins, if it is a number
  std::size_t counted_ = 0;
  std::size_t values_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
  std::vector<Open> open_;
  JsonValue document_;
  bool is_complete_ = false;
  std::optional<Diagnostic> problem_;
};

void write_text(std::string& out, std::string_view text) {
  out += Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void write(std::string& out, const JsonValue& value, std::size_t indent, bool sorted) {
  const auto line = [&](std::size_t more) { out += '\n' + std::string(4 * (indent + more), ' '); };
  switch (value.kind) {
    case JsonKind::null: out += "null"; return;
    case JsonKind::boolean: out += value.boolean ? "true" : "false"; return;
    case JsonKind::integer:
    case JsonKind::real: out += value.text; return;
    case JsonKind::text: write_text(out, value.text); return;
    case JsonKind::array:
      out += '[';
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ',';
        line(1);
        write(out, value.items[i], indent + 1, sorted);
      }
      if (!value.items.empty()) line(0);
      out += ']';
      return;
    case JsonKind::object: {
      std::vector<const JsonValue::Member*> members;
      for (const JsonValue::Member& member : value.members) members.push_back(&member);
      if (sorted)
        std::sort(members.begin(), members.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
      out += '{';
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (i > 0) out += ',';
        line(1);
        write_text(out, members[i]->key);
        out += ": ";
        write(out, members[i]->value, indent + 1, sorted);
      }
      if (!members.empty()) line(0);
      out += '}';
      return;
    }
  }
}

}  // namespace

std::string_view to_string(JsonKind kind) {
  switch (kind) {
    case JsonKind::null: return "null";
    case JsonKind::boolean: return "true or false";
    case JsonKind::integer: return "an integer";
    case JsonKind::real: return "a number";
    case JsonKind::text: return "a string";
    case JsonKind::array: return "a list";
    case JsonKind::object: return "an object";
  }
  return "?";
}

const JsonValue* JsonValue::find(std::string_view key) const {
  const auto it = std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.key == key; });
  return it == members.end() ? nullptr : &it->value;
}

JsonValue JsonValue::of(bool value) {
  JsonValue made;
  made.kind = JsonKind::boolean;
  made.boolean = value;
  return made;
}

JsonValue JsonValue::of(std::int64_t value) {
  JsonValue made;
  made.kind = JsonKind::integer;
  made.integer = value;
  made.real = static_cast<double>(value);
  made.text = std::to_string(value);
  return made;
}

JsonValue JsonValue::of(std::string value) {
  JsonValue made;
  made.kind = JsonKind::text;
  made.text = std::move(value);
  return made;
}

JsonValue JsonValue::array(std::vector<JsonValue> values) {
  JsonValue made;
  made.kind = JsonKind::array;
  made.items = std::move(values);
  return made;
}

JsonValue JsonValue::object() {
  JsonValue made;
  made.kind = JsonKind::object;
  return made;
}

void JsonValue::set(std::string_view key, JsonValue value) {
  for (Member& member : members)
    if (member.key == key) {
      member.value = std::move(value);
      return;
    }
  members.push_back({std::string(key), {}, std::move(value)});
}

Expected<JsonValue> parse_json(std::string_view text, std::string_view file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark does not count as a column
  return JsonBuilder(text, file).build();
}

Expected<std::string> read_config_text(const std::string& path) {
  const auto unreadable = [&](std::string_view why) {
    return error("MO-CONFIG-0001", "the file cannot be read: {}", why).hint("check the path").in_file(path);
  };
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return unreadable("there is no such file");
  const auto opened = File::open(path);
  if (!opened) return unreadable(S_ISREG(status.st_mode) ? "it cannot be opened" : "it is not a regular file");
  const File& file = **opened;
  if (file.size() > kMaxJsonBytes) return unreadable(fmt::format("it has more than {} MB", kMaxJsonBytes >> 20));
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  if (!file.read(0, std::as_writable_bytes(std::span(text)))) return unreadable("reading failed");
  return text;
}

Expected<JsonValue> read_json(const std::string& path) {
  MO_ASSIGN(const std::string text, read_config_text(path));
  return parse_json(text, path);
}

std::string to_json_text(const JsonValue& value, bool sorted_keys) {
  std::string out;
  write(out, value, 0, sorted_keys);
  return out + '\n';
}

std::string at(std::string_view file, Place place) { return fmt::format("{}:{}:{}", file, place.line, place.column); }

}  // namespace mo::config
