#include "extensions/object_detection/text_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace mo::object_detection {
namespace {

constexpr int kMaxDepth = 100;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-' || c == '+'; }

/// Recursive descent; the depth is limited.
class MessageParser {
 public:
  MessageParser(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  Expected<TextMessage> run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = line_start_ = 3;
    TextMessage root;
    MO_TRY(fields(root, '\0', 0));
    return root;
  }

 private:
  Place place() const { return {line_, static_cast<std::uint32_t>(at_ - line_start_ + 1)}; }
  Diagnostic fail(std::string_view what, std::string_view hint = "the file is protobuf text: field: value, message { … }, # comment") const {
    return error("MO-CONFIG-0200", "{}", what).hint("{}", hint).in_file(config::at(file_, place()));
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool ended() const { return at_ >= text_.size(); }

  void skip() {
    for (; !ended(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      } else if (c == '#') {
        while (!ended() && text_[at_] != '\n') ++at_;
        --at_;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return;
      }
    }
  }
  std::string word() {
    const std::size_t start = at_;
    while (!ended() && is_word(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  Expected<void> fields(TextMessage& message, char end, int depth) {
    message.place = place();
    if (depth > kMaxDepth) return fail(fmt::format("messages are nested more than {} deep", kMaxDepth));
    while (true) {
      skip();
      if (ended()) return end == '\0' ? Expected<void>() : fail(fmt::format("a {} is missing: the text ends inside of a message", end));
      if (end != '\0' && peek() == end) return ++at_, Expected<void>();
      if (peek() == ',' || peek() == ';') {
        ++at_;
        continue;
      }
      MO_TRY(field(message, depth));
    }
  }

  Expected<void> field(TextMessage& message, int depth) {
    const Place start = place();
    std::string name;
    if (peek() == '[') {  // an extension, or Any
      const std::size_t close = text_.find(']', at_);
      if (close == std::string_view::npos || text_.substr(at_, close - at_).find('\n') != std::string_view::npos) return fail("a ] is missing");
      name = text_.substr(at_ + 1, close - at_ - 1);
      at_ = close + 1;
    } else {
      name = word();
    }
    if (name.empty()) return fail(peek() == '}' || peek() == '>' ? "there is no message to close here" : "the name of a field is missing here");
    skip();
    const bool colon = peek() == ':';
    if (colon) ++at_;
    skip();
    if (peek() == '[') {
      if (!colon) return fail("a colon is missing");
      ++at_;
      skip();
      if (peek() == ']') return ++at_, Expected<void>();
      while (true) {
        MO_TRY(value(message, name, start, depth));
        skip();
        if (peek() == ']') return ++at_, Expected<void>();
        if (peek() != ',') return fail("a comma or ] is missing here");
        ++at_;
        skip();
      }
    }
    if (!colon && peek() != '{' && peek() != '<') return fail(fmt::format("a colon or {{ is missing behind {}", name));
    return value(message, name, start, depth);
  }

  Expected<void> value(TextMessage& message, const std::string& name, Place start, int depth) {
    TextMessage::Field made;
    made.name = name;
    made.place = start;
    if (peek() == '{' || peek() == '<') {
      const char end = peek() == '{' ? '}' : '>';
      ++at_;
      made.is_message = true;
      MO_TRY(fields(made.message, end, depth + 1));
    } else if (peek() == '"' || peek() == '\'') {
      made.is_string = true;
      while (peek() == '"' || peek() == '\'') {  // neighbouring strings are one
        MO_TRY(quoted(made.text));
        skip();
      }
    } else {
      made.text = word();
      if (made.text.empty()) return fail(fmt::format("the value of {} is missing", name));
    }
    message.fields.push_back(std::move(made));
    return {};
  }

  Expected<void> quoted(std::string& out) {
    const char quote = peek();
    ++at_;
    while (!ended() && peek() != quote && peek() != '\n') {
      if (peek() != '\\') {
        out += text_[at_++];
        continue;
      }
      ++at_;
      if (peek() >= '0' && peek() <= '7') {  // \ooo
        int code = 0;
        for (int k = 0; k < 3 && peek() >= '0' && peek() <= '7'; ++k) code = code * 8 + (text_[at_++] - '0');
        out += static_cast<char>(code);
        continue;
      }
      constexpr std::string_view kLetters = "ntr\\\"'?abfv";
      constexpr std::string_view kMeanings = "\n\t\r\\\"'?\a\b\f\v";
      const std::size_t i = ended() ? std::string_view::npos : kLetters.find(peek());
      if (i == std::string_view::npos) return fail("this escape is not known");
      out += kMeanings[i];
      ++at_;
    }
    if (peek() != quote) return fail("the string does not end on its line");
    ++at_;
    return {};
  }

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
};

}  // namespace

const TextMessage::Field* TextMessage::find(std::string_view name) const {
  const auto it = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
  return it == fields.end() ? nullptr : &*it;
}

Expected<TextMessage> parse_text_message(std::string_view text, std::string_view file) { return MessageParser(text, file).run(); }

}  // namespace mo::object_detection
