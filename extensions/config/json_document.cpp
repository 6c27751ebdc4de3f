#include "extensions/config/json_document.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <set>

#include "extensions/config/shipped_configs.hpp"

namespace mo::config {
namespace {

/// Length of the UTF-8 sequence at the start of `text`; 0 when there is none (also for surrogates and overlong forms).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) return continues(1, first == 0xE0 ? 0xA0 : 0x80, first == 0xED ? 0x9F : 0xBF) && continues(2) ? 3 : 0;
  if (first >= 0xF0 && first <= 0xF4)
    return continues(1, first == 0xF0 ? 0x90 : 0x80, first == 0xF4 ? 0x8F : 0xBF) && continues(2) && continues(3) ? 4 : 0;
  return 0;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  }
}

/// Recursive descent; the depth is limited.
class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  Expected<JsonValue> document() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = line_start_ = 3;
    JsonValue value;
    MO_TRY(parse(value, 0));
    skip_space();
    if (at_ < text_.size()) return fail("there is text behind the end of the document", "a config is one JSON value; remove what follows it");
    return value;
  }

 private:
  Place place() const { return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}; }
  Diagnostic fail(std::string_view what, std::string_view hint = "check the file with any JSON tool") const { return fail_at(place(), what, hint); }
  Diagnostic fail_at(Place place, std::string_view what, std::string_view hint = "check the file with any JSON tool") const {
    return error("MO-CONFIG-0002", "{}", what).hint("{}", hint).in_file(at(file_, place));
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool ended() const { return at_ >= text_.size(); }

  void skip_space() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }

  Expected<void> parse(JsonValue& value, int depth) {
    skip_space();
    value.place = place();
    if (ended()) return fail("a value is missing: the text ends here");
    if (depth > kMaxJsonDepth) return fail(fmt::format("values are nested more than {} deep", kMaxJsonDepth), "write the config with less nesting");
    const char c = peek();
    if (c == '{') return parse_object(value, depth);
    if (c == '[') return parse_array(value, depth);
    if (c == '"') {
      value.kind = JsonKind::text;
      return parse_text(value.text);
    }
    if (c == '-' || (c >= '0' && c <= '9')) return parse_number(value);
    for (const auto& [word, kind, truth] :
         {std::tuple{"true", JsonKind::boolean, true}, {"false", JsonKind::boolean, false}, {"null", JsonKind::null, false}})
      if (text_.substr(at_).starts_with(word)) {
        value.kind = kind;
        value.boolean = truth;
        at_ += std::string_view(word).size();
        return {};
      }
    if (c == '/' || c == '#')
      return fail("JSON has no comments", "remove the comment; a key \"comment\" is an alternative where the schema allows it");
    if (c == '\'') return fail("strings are written in double quotes", "replace ' by \"");
    if (c == ']' || c == '}') return fail("a value is missing", "remove the comma before it");
    return fail("this is no JSON value", "a value is an object, a list, a \"string\", a number, true, false or null");
  }

  Expected<void> parse_object(JsonValue& value, int depth) {
    value.kind = JsonKind::object;
    ++at_;
    skip_space();
    if (peek() == '}') return ++at_, Expected<void>();
    std::set<std::string, std::less<>> keys;
    while (true) {
      skip_space();
      const Place key_place = place();
      if (peek() == '}') return fail("a key is missing", "remove the comma before it");
      if (peek() != '"') return fail("a key in double quotes is missing here", "write \"key\": value");
      JsonValue::Member member{{}, key_place, {}};
      MO_TRY(parse_text(member.key));
      if (!keys.insert(member.key).second) return fail_at(key_place, fmt::format("the key \"{}\" is there twice", member.key), "keep one of them");
      skip_space();
      if (peek() != ':') return fail(fmt::format("a colon is missing behind the key \"{}\"", member.key), "write \"key\": value");
      ++at_;
      MO_TRY(parse(member.value, depth + 1));
      value.members.push_back(std::move(member));
      skip_space();
      if (peek() == '}') return ++at_, Expected<void>();
      if (peek() != ',') return fail("a comma or } is missing here");
      ++at_;
    }
  }

  Expected<void> parse_array(JsonValue& value, int depth) {
    value.kind = JsonKind::array;
    ++at_;
    skip_space();
    if (peek() == ']') return ++at_, Expected<void>();
    while (true) {
      MO_TRY(parse(value.items.emplace_back(), depth + 1));
      skip_space();
      if (peek() == ']') return ++at_, Expected<void>();
      if (peek() != ',') return fail("a comma or ] is missing here");
      ++at_;
    }
  }

  Expected<void> parse_text(std::string& out) {
    const Place start = place();
    ++at_;
    while (true) {
      if (ended()) return fail_at(start, "the string does not end", "close it with a double quote");
      const char c = text_[at_];
      if (c == '"') return ++at_, Expected<void>();
      if (static_cast<unsigned char>(c) < 0x20)
        return c == '\n' ? fail_at(start, "the string does not end on its line", "close it with a double quote; a line break inside is written \\n")
                         : fail("a control character inside of a string", "write it as \\t or \\u00XX");
      if (c == '\\') {
        MO_TRY(parse_escape(out));
        continue;
      }
      const std::size_t length = utf8_length(text_.substr(at_));
      if (length == 0) return fail("the text is not valid UTF-8", "save the file as UTF-8");
      out.append(text_.substr(at_, length));
      at_ += length;
    }
  }

  std::optional<std::uint32_t> hex4(std::size_t from) const {
    if (from + 4 > text_.size()) return std::nullopt;
    std::uint32_t code = 0;
    const auto [end, cause] = std::from_chars(text_.data() + from, text_.data() + from + 4, code, 16);
    if (cause != std::errc() || end != text_.data() + from + 4) return std::nullopt;
    return code;
  }

  Expected<void> parse_escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const char letter = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (const std::size_t i = kLetters.find(letter); letter != '\0' && i != std::string_view::npos) {
      out += kMeanings[i];
      at_ += 2;
      return {};
    }
    if (letter != 'u') return fail("JSON does not know this escape", "a backslash in a regular expression is written twice: \"\\\\d\"");
    auto code = hex4(at_ + 2);
    if (!code) return fail("\\u wants four hexadecimal digits");
    at_ += 6;
    if (*code >= 0xD800 && *code <= 0xDFFF) {
      const auto low = text_.substr(at_).starts_with("\\u") ? hex4(at_ + 2) : std::nullopt;
      if (*code >= 0xDC00 || !low || *low < 0xDC00 || *low > 0xDFFF) return fail("half of a surrogate pair", "write the character itself, in UTF-8");
      code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
      at_ += 6;
    }
    append_utf8(out, *code);
    return {};
  }

  Expected<void> parse_number(JsonValue& value) {
    const std::size_t start = at_;
    const auto digits = [&] {
      const std::size_t from = at_;
      while (peek() >= '0' && peek() <= '9') ++at_;
      return at_ > from;
    };
    if (peek() == '-') ++at_;
    const bool leading_zero = peek() == '0' && at_ + 1 < text_.size() && text_[at_ + 1] >= '0' && text_[at_ + 1] <= '9';
    bool good = digits() && !leading_zero;
    bool is_integer = true;
    if (good && peek() == '.') {
      ++at_;
      is_integer = false;
      good = digits();
    }
    if (good && (peek() == 'e' || peek() == 'E')) {
      ++at_;
      is_integer = false;
      if (peek() == '+' || peek() == '-') ++at_;
      good = digits();
    }
    if (!good) return fail_at(value.place, "this is no number", "write 12, -3, 0.5 or 1e-3");
    value.text = text_.substr(start, at_ - start);
    const char* const first = value.text.data();
    const char* const last = first + value.text.size();
    const auto [end, cause] = std::from_chars(first, last, value.real);
    if (end != last || cause != std::errc() || !std::isfinite(value.real))
      return fail_at(value.place, "the number is too large", "write a number that a double can hold");
    value.kind = JsonKind::real;
    if (is_integer) {
      const auto [integer_end, integer_cause] = std::from_chars(first, last, value.integer);
      if (integer_end != last || integer_cause != std::errc())
        return fail_at(value.place, "the integer is too large", "write a number of 64 bits, or a real with a decimal point");
      value.kind = JsonKind::integer;
    }
    return {};
  }

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
};

void write_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
          out += c;
    }
  }
  out += '"';
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
      if (sorted) std::sort(members.begin(), members.end(), [](const auto* a, const auto* b) { return a->key < b->key; });
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

Expected<JsonValue> parse_json(std::string_view text, std::string_view file) { return Parser(text, file).document(); }

Expected<std::string> read_config_text(const std::string& path) {
  const auto unreadable = [&](std::string_view why) {
    return error("MO-CONFIG-0001", "the file cannot be read: {}", why).hint("check the path").in_file(path);
  };
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (const ShippedConfig* shipped = find_shipped_config(path)) return std::string(shipped->text);
    return unreadable("there is no such file");
  }
  if (!S_ISREG(status.st_mode)) return unreadable("it is no regular file");
  if (static_cast<std::uint64_t>(status.st_size) > kMaxJsonBytes) return unreadable(fmt::format("it has more than {} MB", kMaxJsonBytes >> 20));
  std::ifstream stream(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream) return unreadable("reading failed");
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
