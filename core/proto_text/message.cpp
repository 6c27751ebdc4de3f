#include "core/proto_text/message.hpp"

#include <algorithm>

#include "core/proto_text/lexer.hpp"

namespace mo::proto_text {
namespace {

/// Messages in messages; the same limit as protobuf's.
constexpr int kDepth = 100;
/// Values of one text. A topology has some ten thousand; weights belong into a binary file. One value may take 200
/// bytes of memory.
constexpr std::size_t kValues = std::size_t{1} << 19;

class Parser {
 public:
  Parser(std::string_view text, const Complain& complain) : lexer_(text, complain), complain_(complain) {}

  Expected<Message> run() {
    MO_TRY(lexer_.advance());
    Message message;
    message.place = lexer_.token().place;
    MO_TRY(read_fields(message, "", 0));
    return message;
  }

 private:
  const Token& token() const { return lexer_.token(); }
  bool is_symbol(char c) const { return token().kind == Token::Kind::symbol && token().text[0] == c; }
  Diagnostic unexpected(std::string_view wanted) const {
    const std::string got = token().kind == Token::Kind::end ? std::string("the end of the text")
                                                             : fmt::format("'{}'", token().text.substr(0, 80));
    return complain_(token().place, fmt::format("{} is expected, not {}", wanted, got)).hint("correct the text there");
  }

  /// Fields up to `closing`, which is taken; "" for the whole text.
  Expected<void> read_fields(Message& message, std::string_view closing, int depth) {
    for (;;) {
      if (token().kind == Token::Kind::end) {
        if (closing.empty()) return {};
        return complain_(message.place, fmt::format("this message is never closed with '{}'", closing))
            .hint("a closing bracket is missing");
      }
      if (token().kind == Token::Kind::symbol && token().text == closing) return lexer_.advance();
      if (is_symbol(',') || is_symbol(';')) {  // protobuf text: separators between fields are optional
        if (message.fields.empty()) return unexpected("the name of a field");
        MO_TRY(lexer_.advance());
        continue;
      }
      MO_TRY(read_field(message, depth));
    }
  }

  Expected<void> read_field(Message& message, int depth) {
    const Place place = token().place;
    if (is_symbol('['))
      MO_TRY(lexer_.read_extension_name());
    else if (token().kind != Token::Kind::word)
      return unexpected("the name of a field");
    std::string name(token().text);
    MO_TRY(lexer_.advance());
    Field* field = nullptr;
    if (!message.fields.empty() && message.fields.back().name == name)
      field = &message.fields.back();
    else
      field = &message.fields.emplace_back(Field{std::move(name), place, {}, {}});
    if (is_symbol(':'))
      MO_TRY(lexer_.advance());
    else if (!is_symbol('{') && !is_symbol('<'))
      return unexpected("':' or '{'");
    if (!is_symbol('[')) return read_value(*field, depth);
    MO_TRY(lexer_.advance());
    for (bool first = true; !is_symbol(']'); first = false) {
      if (!first) {
        if (!is_symbol(',')) return unexpected("',' or ']'");
        MO_TRY(lexer_.advance());
      }
      MO_TRY(read_value(*field, depth));
    }
    return lexer_.advance();
  }

  Expected<void> read_value(Field& field, int depth) {
    if (++values_ > kValues)
      return complain_(token().place, fmt::format("the text has more than {} values", kValues))
          .hint("store weights in a binary file");
    field.places.push_back(token().place);
    switch (token().kind) {
      case Token::Kind::integer: field.values.emplace_back(token().integer); break;
      case Token::Kind::real: field.values.emplace_back(token().real); break;
      case Token::Kind::string: {
        std::string text;
        // Protobuf text: neighbouring strings are one.
        while (token().kind == Token::Kind::string) {
          text += token().string;
          MO_TRY(lexer_.advance());
        }
        field.values.emplace_back(std::move(text));
        return {};
      }
      case Token::Kind::word: {
        const std::string_view word = token().text;
        if (word == "true" || word == "True")
          field.values.emplace_back(true);
        else if (word == "false" || word == "False")
          field.values.emplace_back(false);
        else
          field.values.emplace_back(Word{std::string(word)});
        break;
      }
      default: return read_message(field, depth);
    }
    return lexer_.advance();
  }

  Expected<void> read_message(Field& field, int depth) {
    if (!is_symbol('{') && !is_symbol('<')) return unexpected("a value");
    if (depth + 1 > kDepth)
      return complain_(token().place, fmt::format("messages are nested more than {} deep", kDepth))
          .hint("the text is corrupt");
    auto inner = std::make_unique<Message>();
    inner->place = token().place;
    const std::string_view closing = is_symbol('{') ? "}" : ">";
    MO_TRY(lexer_.advance());
    MO_TRY(read_fields(*inner, closing, depth + 1));
    field.values.emplace_back(std::move(inner));
    return {};
  }

  Lexer lexer_;
  const Complain& complain_;
  std::size_t values_ = 0;
};

}  // namespace

std::string_view kind_of(const Value& value) {
  switch (value.index()) {
    case 0: return "an integer";
    case 1: return "a real number";
    case 2: return "true or false";
    case 3: return "a word";
    case 4: return "a string";
    default: return "a message";
  }
}

Place Field::place_of(const Value& value) const {
  const auto found = std::find_if(values.begin(), values.end(), [&](const Value& v) { return &v == &value; });
  return found == values.end() ? place : places[static_cast<std::size_t>(found - values.begin())];
}

bool Message::has(std::string_view name) const {
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
}

Expected<Message> parse(std::string_view text, const Complain& complain) { return Parser(text, complain).run(); }

}  // namespace mo::proto_text
