#include "frontends/caffe/prototxt.hpp"

#include <algorithm>
#include <limits>

#include "frontends/caffe/prototxt_lexer.hpp"

namespace mo::caffe {
namespace {

/// Messages in messages; the same limit as protobuf's.
constexpr int kDepth = 100;
/// Values of one text. A topology has some ten thousand; weights belong into a binary file. One value may take 200 bytes of memory.
constexpr std::size_t kValues = std::size_t{1} << 19;

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) {}

  Expected<TextMessage> run() {
    MO_TRY(lexer_.advance());
    TextMessage message;
    message.place = lexer_.token().place;
    MO_TRY(read_fields(message, "", 0));
    return message;
  }

 private:
  const TextToken& token() const { return lexer_.token(); }
  bool is_symbol(char c) const { return token().kind == TextToken::Kind::symbol && token().text[0] == c; }
  Diagnostic unexpected(std::string_view wanted) const {
    const std::string got =
        token().kind == TextToken::Kind::end ? std::string("the end of the text") : fmt::format("'{}'", token().text.substr(0, 80));
    return error_at(token().place, "MO-CAFFE-0001", "{} is expected, not {}", wanted, got).hint("correct the text there");
  }

  /// Fields up to `closing`, which is taken; "" for the whole text.
  Expected<void> read_fields(TextMessage& message, std::string_view closing, int depth) {
    for (;;) {
      if (token().kind == TextToken::Kind::end) {
        if (closing.empty()) return {};
        return error_at(message.place, "MO-CAFFE-0001", "this message is never closed with '{}'", closing).hint("a closing bracket is missing");
      }
      if (token().kind == TextToken::Kind::symbol && token().text == closing) return lexer_.advance();
      if (is_symbol(',') || is_symbol(';')) {  // protobuf text: separators between fields are optional
        if (message.fields.empty()) return unexpected("the name of a field");
        MO_TRY(lexer_.advance());
        continue;
      }
      MO_TRY(read_field(message, depth));
    }
  }

  Expected<void> read_field(TextMessage& message, int depth) {
    if (token().kind != TextToken::Kind::word) return unexpected("the name of a field");
    const TextPlace place = token().place;
    std::string name(token().text);
    MO_TRY(lexer_.advance());
    TextField* field = nullptr;
    if (!message.fields.empty() && message.fields.back().name == name)
      field = &message.fields.back();
    else
      field = &message.fields.emplace_back(TextField{std::move(name), place, {}, {}});
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

  Expected<void> read_value(TextField& field, int depth) {
    if (++values_ > kValues)
      return error_at(token().place, "MO-CAFFE-0001", "the text has more than {} values", kValues).hint("weights belong into a .caffemodel file");
    field.places.push_back(token().place);
    switch (token().kind) {
      case TextToken::Kind::integer: field.values.emplace_back(token().integer); break;
      case TextToken::Kind::real: field.values.emplace_back(token().real); break;
      case TextToken::Kind::string: {
        std::string text;
        // Protobuf text: neighbouring strings are one.
        while (token().kind == TextToken::Kind::string) {
          text += token().string;
          MO_TRY(lexer_.advance());
        }
        field.values.emplace_back(std::move(text));
        return {};
      }
      case TextToken::Kind::word: {
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

  Expected<void> read_message(TextField& field, int depth) {
    if (!is_symbol('{') && !is_symbol('<')) return unexpected("a value");
    if (depth + 1 > kDepth)
      return error_at(token().place, "MO-CAFFE-0001", "messages are nested more than {} deep", kDepth).hint("the text is damaged");
    auto inner = std::make_unique<TextMessage>();
    inner->place = token().place;
    const std::string_view closing = is_symbol('{') ? "}" : ">";
    MO_TRY(lexer_.advance());
    MO_TRY(read_fields(*inner, closing, depth + 1));
    field.values.emplace_back(std::move(inner));
    return {};
  }

  PrototxtLexer lexer_;
  std::size_t values_ = 0;
};

std::string_view kind_of(const TextValue& value) {
  switch (value.index()) {
    case 0: return "an integer";
    case 1: return "a real number";
    case 2: return "true or false";
    case 3: return "a word";
    case 4: return "a string";
    default: return "a message";
  }
}

Diagnostic wrong_kind(const TextValue& value, const TextField& field, std::string_view wanted) {
  return error_at(field.place_of(value), "MO-CAFFE-0002", "{} takes {}, not {}", field.name, wanted, kind_of(value)).hint("correct the text there");
}

}  // namespace

TextPlace TextField::place_of(const TextValue& value) const {
  const auto found = std::find_if(values.begin(), values.end(), [&](const TextValue& v) { return &v == &value; });
  return found == values.end() ? place : places[static_cast<std::size_t>(found - values.begin())];
}

bool TextMessage::has(std::string_view name) const {
  return std::any_of(fields.begin(), fields.end(), [&](const TextField& field) { return field.name == name; });
}

Expected<TextMessage> parse_prototxt(std::string_view text) { return Parser(text).run(); }

Expected<std::int64_t> integer_of(const TextValue& value, const TextField& field) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  return wrong_kind(value, field, "an integer");
}

Expected<double> real_of(const TextValue& value, const TextField& field) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* number = std::get_if<std::int64_t>(&value)) return static_cast<double>(*number);
  if (const auto* word = std::get_if<Word>(&value)) {
    if (word->text == "inf" || word->text == "infinity") return std::numeric_limits<double>::infinity();
    if (word->text == "nan") return std::numeric_limits<double>::quiet_NaN();
  }
  return wrong_kind(value, field, "a number");
}

Expected<bool> flag_of(const TextValue& value, const TextField& field) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* number = std::get_if<std::int64_t>(&value); number && (*number == 0 || *number == 1)) return *number == 1;
  if (const auto* word = std::get_if<Word>(&value); word && (word->text == "t" || word->text == "f")) return word->text == "t";
  return wrong_kind(value, field, "true or false");
}

Expected<std::string> text_of(const TextValue& value, const TextField& field) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* word = std::get_if<Word>(&value)) return word->text;
  return wrong_kind(value, field, "a string");
}

Expected<const TextMessage*> message_of(const TextValue& value, const TextField& field) {
  if (const auto* message = std::get_if<std::unique_ptr<TextMessage>>(&value)) return static_cast<const TextMessage*>(message->get());
  return wrong_kind(value, field, "a message");
}

Expected<std::string> text_field(const TextMessage& message, std::string_view name, std::string fallback) {
  MO_TRY(message.each(name, [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(fallback, text_of(value, field));
    return {};
  }));
  return fallback;
}

Expected<std::int64_t> integer_field(const TextMessage& message, std::string_view name, std::int64_t fallback) {
  MO_TRY(message.each(name, [&](const TextValue& value, const TextField& field) -> Expected<void> {
    MO_ASSIGN(fallback, integer_of(value, field));
    return {};
  }));
  return fallback;
}

}  // namespace mo::caffe
