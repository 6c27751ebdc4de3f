#include "graph_transforms/engine/grammar.hpp"

#include "core/pass/pass_list.hpp"

namespace mo::graph_transforms {
namespace {

/// What the original looks for, in its words, and what helps.
struct Wording {
  std::string_view looking_for;
  std::string_view hint;
};

Wording wording_of(PassListPart part) {
  switch (part) {
    case PassListPart::name:
      return {"transform name", "write name(argument=value, …), and names of letters, digits and _"};
    case PassListPart::key:
      return {"parameter name",
              "leave out the blank before a comma or a parenthesis, and the comma after the last argument"};
    case PassListPart::equals_sign: return {"=", "write name=value without blanks"};
    case PassListPart::value:
      return {"parameter name",
              "put a value with other characters than letters, digits and _-./ into double quotes: name=\"x:0\""};
    case PassListPart::end_of_quote: return {"parameter name", "close the double quotes"};
    case PassListPart::close: break;
  }
  return {")", "close the parenthesis of the last transform"};
}

}  // namespace

Expected<std::vector<TransformCall>> parse_transforms(std::string_view text, Grammar grammar) {
  const bool is_original = grammar == Grammar::original;
  const PassListStyle style{.name_marks = "_",
                            .value_marks = "_-./",
                            .is_strict = true,
                            .reads_continued_lines = !is_original,
                            .drops_open_call = is_original};
  const PassListProblem problem = [text](PassListPart part, std::size_t at, char) -> Diagnostic {
    constexpr std::size_t kShown = 200;
    const Wording words = wording_of(part);
    return error("MO-GTT-0003", "Looking for {}, but found {}", words.looking_for,
                 at == text.size() ? "the end" : text.substr(at, kShown))
        .hint("{}", words.hint);
  };
  MO_ASSIGN(std::vector<PassCall> parsed, parse_pass_list(text, style, problem));
  std::vector<TransformCall> calls;
  for (PassCall& call : parsed) {
    TransformCall& made = calls.emplace_back();
    made.name = std::move(call.name);
    for (PassCall::Argument& argument : call.arguments)
      made.parameters[argument.key].push_back(std::move(argument.value));
  }
  return calls;
}

}  // namespace mo::graph_transforms
