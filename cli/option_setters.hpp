#pragma once

#include <iterator>
#include <string>
#include <string_view>

#include "driver/option_grammar.hpp"

/// Setters for the rows of the option table, made from member pointers: `set_text<&Options::model_name>`, and with a
/// sub-struct `set_text<&Options::caffe, &CaffeOptions::input_proto>`.
namespace mo::cli {

template <auto Member>
auto& member(Options& options) {
  return options.*Member;
}
template <auto Outer, auto Inner>
auto& member(Options& options) {
  return options.*Outer.*Inner;
}

/// For what the command line itself acts upon.
inline Expected<void> set_nothing(Options&, std::string_view) { return {}; }

template <auto... Path>
Expected<void> set_flag(Options& options, std::string_view text) {
  member<Path...>(options) = text == "True";
  return {};
}

template <auto... Path>
Expected<void> set_text(Options& options, std::string_view text) {
  member<Path...>(options) = std::string(text);
  return {};
}

template <auto... Path>
Expected<void> add_words(Options& options, std::string_view text) {
  auto words = parse_words(text);
  auto& list = member<Path...>(options);
  list.insert(list.end(), std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()));
  return {};
}

}  // namespace mo::cli
