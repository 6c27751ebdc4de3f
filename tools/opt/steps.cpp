#include "tools/opt/steps.hpp"

#include <fmt/format.h>

#include "core/pass/pass_list.hpp"

namespace mo::tools {
namespace {

constexpr std::string_view kGroup = "GraphRewrite";

std::string text_of(PassListPart part, char close) {
  switch (part) {
    case PassListPart::name: return "the name of a transformation";
    case PassListPart::key: return "the name of a setting";
    case PassListPart::equals_sign: return "'='";
    case PassListPart::value: return fmt::format("a value or '{}'", close);
    case PassListPart::end_of_quote: return "the end of the text in quotes";
    case PassListPart::close: return fmt::format("'{}'", close);
  }
  return {};
}

/// The members of `GraphRewrite(Name, Other)`.
Expected<PassStep> group_of(const PassCall& call, const PassLibrary& library) {
  PassStep step{std::string(kGroup), {}};
  for (const PassCall::Argument& member : call.arguments) {
    if (!member.key.empty())
      return error("MO-OPT-0001", "--passes: {} takes transformations, but {} was given", kGroup, member.key)
          .hint("write them as in \"GraphRewrite(MishFusion, SwishFusion)\"");
    MO_TRY(library.get(member.value));
    step.passes.emplace_back(member.value);
  }
  return step;
}

}  // namespace

Expected<std::vector<ListedStep>> parse_steps(std::string_view text, const PassLibrary& library) {
  const PassListProblem problem = [](PassListPart part, std::size_t at, char close) -> Diagnostic {
    return error("MO-OPT-0001", "--passes, column {}: expected {}", at + 1, text_of(part, close))
        .hint("write them as in \"GeluFusion StridedSliceOptimization(use_shapes=false)\"");
  };
  MO_ASSIGN(const std::vector<PassCall> calls, parse_pass_list(text, {}, problem));
  std::vector<ListedStep> steps;
  for (const PassCall& call : calls) {
    if (call.name == kGroup) {
      MO_ASSIGN(PassStep group, group_of(call, library));
      steps.push_back({std::move(group), call.text});
      continue;
    }
    MO_ASSIGN(const Pass* const pass, library.get(call.name));
    MO_ASSIGN(AttributeMap settings, settings_in(call, *pass));
    PassStep step;
    step.passes.emplace_back(call.name, true, std::move(settings));
    steps.push_back({std::move(step), call.text});
  }
  return steps;
}

}  // namespace mo::tools
