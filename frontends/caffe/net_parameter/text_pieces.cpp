#include "frontends/caffe/net_parameter/text_pieces.hpp"

#include "core/proto_text/lexer.hpp"

namespace mo::caffe {
namespace {

using proto_text::Lexer;
using proto_text::Token;

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text), lexer_(text, complain_) {}

  Expected<TextPieces> split() {
    TextPieces found;
    MO_TRY(next());
    while (token().kind != Token::Kind::end) {
      if (is_symbol(",;")) {  // between fields
        MO_TRY(next());
        continue;
      }
      const std::size_t begin = position();
      const std::size_t before = end_;
      MO_TRY(skip_field());
      found.pieces.push_back({text_.substr(before, begin - before), text_.substr(begin, end_ - begin)});
    }
    found.end = text_.substr(end_);
    return found;
  }

 private:
  const Token& token() const { return lexer_.token(); }
  std::size_t position() const { return static_cast<std::size_t>(token().text.data() - text_.data()); }
  bool is_symbol(std::string_view symbols) const {
    return token().kind == Token::Kind::symbol && symbols.find(token().text[0]) != std::string_view::npos;
  }
  Expected<void> next() { return lexer_.advance(); }
  /// The token belongs to the field.
  Expected<void> take() {
    if (token().kind == Token::Kind::end)
      return error_at(token().place, "MO-CAFFE-0001", "a field ends in the middle").hint("correct the text there");
    end_ = position() + token().text.size();
    return next();
  }

  Expected<void> skip_field() {
    MO_TRY(take_name());
    bool is_value = is_symbol(":");  // a list comes after a colon; otherwise '[' begins the name of an extension
    if (is_value) MO_TRY(take());
    if (!is_symbol("{<[")) {
      const bool is_string = token().kind == Token::Kind::string;
      MO_TRY(take());
      while (is_string && token().kind == Token::Kind::string) MO_TRY(take());
      return {};
    }
    std::size_t depth = 0;
    do {
      if (is_symbol("[") && !is_value) {
        MO_TRY(take_name());
        continue;
      }
      if (is_symbol("{<[")) ++depth;
      if (is_symbol("}>]")) --depth;
      is_value = is_symbol(":");
      MO_TRY(take());
    } while (depth > 0);
    return {};
  }

  Expected<void> take_name() {
    if (is_symbol("[")) MO_TRY(lexer_.read_extension_name());
    return take();
  }

  std::string_view text_;
  const proto_text::Complain complain_ = [](TextPlace place, const std::string& what) {
    return error_at(place, "MO-CAFFE-0001", "{}", what);
  };
  Lexer lexer_;
  std::size_t end_ = 0;  ///< of the last field
};

}  // namespace

Expected<TextPieces> split_text(std::string_view text) { return Splitter(text).split(); }

}  // namespace mo::caffe
