#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph_transforms/engine/context.hpp"

namespace mo::graph_transforms {

/// One call of a transform: `name(argument=value, …)`.
struct TransformCall {
  std::string name;
  TransformParameters parameters;
};

/// Where we improve upon the original tool, but users might depend on its behaviour.
enum class Grammar {
  lenient,   ///< backslash and newline (a shell's continued line) are a blank, a missing ")" is an error
  original,  ///< a backslash is an error, a call without its ")" is left out silently
};

/// Parses the pipeline of `--transforms`, the strict form of a pass list (core/pass/pass_list.hpp):
///
///   pipeline  = { call }                      between calls: any blanks
///   call      = NAME [ "(" { argument } ")" ]     NAME: letters, digits, "_"; no blank before "("
///   argument  = [ "," ] blanks NAME "=" value     no blanks around "=", none before "," and ")"
///   value     = letters, digits, "_-./", at least one | '"' … '"'    a backslash protects a quote, and stays
///
/// Error MO-GTT-0003, which shows the rest of the text.
Expected<std::vector<TransformCall>> parse_transforms(std::string_view text, Grammar grammar = Grammar::lenient);

}  // namespace mo::graph_transforms
