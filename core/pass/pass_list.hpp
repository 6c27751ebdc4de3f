#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/pass/pass.hpp"

namespace mo {

/// One pass of a list, and what stands in its parentheses.
struct PassCall {
  struct Argument {
    std::string key;  ///< empty: the next setting in the order of their declaration
    std::string value;
    bool is_quoted = false;
  };
  std::string name;
  std::vector<Argument> arguments;
  std::string text = {};  ///< as it was written, with the arguments
};

/// How much of the grammar of pass lists a reader accepts:
///
///   list      = { call }                  blanks, commas and continued lines (backslash, newline) between calls
///   call      = NAME [ "(" { argument } ")" | "[" argument { ";" argument } "]" ]
///   argument  = [ KEY "=" ] value         in parentheses, blanks, commas and semicolons between arguments
///   value     = '"' … '"'                 a backslash protects a quote, and stays
///             | "{" … "}" | word
///
/// Lists of the original Graph Transform Tool are written more strictly.
struct PassListStyle {
  /// letters of names and of unquoted values in parentheses beside letters and digits
  std::string_view name_marks = "_-.:/+>";
  std::string_view value_marks = "_-.:/+>";
  /// no commas between calls; no blanks around "=", before "," and ")"; each argument has a key; no square brackets
  bool is_strict = false;
  bool reads_continued_lines = true;
  /// a last call without its ")" is left out silently
  bool drops_open_call = false;
};

/// What a reader of pass lists looks for when it finds something else.
enum class PassListPart : std::uint8_t { name, key, equals_sign, value, end_of_quote, close };

/// The caller's error that `part` was expected at `at` in the text; `close`: ")" or "]".
using PassListProblem = std::function<Diagnostic(PassListPart part, std::size_t at, char close)>;

/// Errors: what `problem` makes.
Expected<std::vector<PassCall>> parse_pass_list(std::string_view text, const PassListStyle& style,
                                                const PassListProblem& problem);

/// The arguments of `call` as settings of `pass`: true and false (also with a capital), integers, reals, strings.
/// Errors: MO-PASS-0022 (more values without a key than the pass has settings), MO-PASS-0026 (a key is given twice).
Expected<AttributeMap> settings_in(const PassCall& call, const Pass& pass);

}  // namespace mo
