#include "tools/explain/text_places.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/files/file.hpp"
#include "core/proto_text/lexer.hpp"
#include "driver/given_model.hpp"

namespace mo::tools {
namespace {

/// Longer texts hold weights, which users do not read.
constexpr std::uint64_t kLongest = 64U << 20;

bool is_text(std::string_view text) {
  const std::string_view start = text.substr(0, 4096);
  return std::none_of(start.begin(), start.end(),
                      [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == '\x7F'; });
}

void add_places(const std::string& path, std::string_view text,
                std::map<std::string, std::string, std::less<>>& places) {
  const proto_text::Complain complain = [](proto_text::Place, const std::string& what) {
    return error("MO-PB-0001", "{}", what);
  };
  proto_text::Lexer lexer(text, complain);
  // name : "conv1"
  int matched = 0;
  while (lexer.advance()) {
    const proto_text::Token& token = lexer.token();
    if (token.kind == proto_text::Token::Kind::end) return;
    if (matched == 2 && token.kind == proto_text::Token::Kind::string)
      places.emplace(token.string, fmt::format("{}:{}", path, token.place.line));
    if (token.kind == proto_text::Token::Kind::word && token.text == "name")
      matched = 1;
    else
      matched = matched == 1 && token.kind == proto_text::Token::Kind::symbol && token.text == ":" ? 2 : 0;
  }
}

}  // namespace

std::map<std::string, std::string, std::less<>> places_of_names(const Options& options) {
  std::map<std::string, std::string, std::less<>> places;
  const std::string& path = options.caffe.input_proto.empty() ? model_path(options) : options.caffe.input_proto;
  const auto file = File::open(path);
  if (!file || (*file)->size() > kLongest) return places;
  std::string text((*file)->size(), '\0');
  if (!(*file)->read(0, std::as_writable_bytes(std::span(text.data(), text.size()))) || !is_text(text)) return places;
  add_places(path, text, places);
  return places;
}

}  // namespace mo::tools
