#pragma once

#include "core/command_line/option_text.hpp"
#include "core/diagnostics/expected.hpp"

/// Lists in option values. `code` is that of errors about the punctuation.
namespace mo {

/// A list, from the opening to the closing bracket, its items separated by commas, spaces or both. `item` reads one.
template <class Item>
Expected<void> parse_list(OptionText& in, std::string_view code, std::string_view what, Item item) {
  const std::size_t open_at = in.position();
  const char close = in.peek() == '(' ? ')' : ']';
  in.advance();
  in.skip_spaces();
  if (in.accept({&close, 1})) return {};
  while (true) {
    if (in.at_end())
      return in.error_at(open_at, code, "this bracket is not closed").hint("add '{}' after the last {}", close, what);
    MO_TRY(item());
    const bool spaces = in.skip_spaces();
    if (in.accept({&close, 1})) return {};
    if (in.at_end()) continue;
    const bool comma = in.accept(",");
    if (!comma && !spaces)
      return in.error_here(code, "{} after a {}", in.found(), what)
          .hint("separate with commas or spaces, and close with '{}'", close);
    in.skip_spaces();
    if (comma && (in.peek() == ',' || in.peek() == close))
      return in.error_here(code, "a {} is missing here", what).hint("remove the extra comma");
  }
}

/// Entries separated by commas, up to the end; `entry(start)` reads one. An empty text has none.
template <class Entry>
Expected<void> parse_entries(OptionText& in, std::string_view code, Entry entry) {
  if (trimmed(in.text()).empty()) return {};
  while (true) {
    in.skip_spaces();
    MO_TRY(entry(in.position()));
    in.skip_spaces();
    if (in.at_end()) return {};
    if (!in.accept(","))
      return in.error_here(code, "{} where a comma or the end should be", in.found())
          .hint("separate the entries by commas");
  }
}

}  // namespace mo
