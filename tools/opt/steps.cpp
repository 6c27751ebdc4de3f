#include "tools/opt/steps.hpp"

#include <cctype>
#include <charconv>

namespace mo::tools {
namespace {

class StepParser {
 public:
  StepParser(std::string_view text, const PassLibrary& library) : text_(text), library_(library) {}

  Expected<std::vector<PassStep>> parse() {
    std::vector<PassStep> steps;
    for (skip(", \t\n\\"); at_ < text_.size(); skip(", \t\n\\")) {
      const std::string name(word());
      if (name.empty()) return problem("a name of a transformation was wanted");
      PassStep step;
      if (name == "GraphRewrite") {
        MO_ASSIGN(step, read_group());
      } else {
        AttributeMap parameters;
        MO_ASSIGN(const Pass* const pass, library_.get(name));
        if (take('(')) MO_TRY(read_parameters(*pass, parameters));
        step.passes.emplace_back(name, true, std::move(parameters));
      }
      steps.push_back(std::move(step));
    }
    return steps;
  }

 private:
  Expected<PassStep> read_group() {
    PassStep step{"GraphRewrite", {}};
    if (!take('(')) return problem("'(' was wanted");
    for (skip(", \t\n\\"); !take(')'); skip(", \t\n\\")) {
      const std::string name(word());
      if (name.empty()) return problem("a name of a transformation or ')' was wanted");
      MO_TRY(library_.get(name));
      step.passes.emplace_back(name);
    }
    return step;
  }

  Expected<void> read_parameters(const Pass& pass, AttributeMap& parameters) {
    std::size_t next = 0;  // setting, of values without a key
    for (skip(", \t\n\\"); !take(')'); skip(", \t\n\\")) {
      const std::size_t start = at_;
      std::string key(word());
      if (key.empty() || !take('=')) {
        at_ = start;
        if (at_ >= text_.size()) return problem("a value or ')' was wanted");
        if (next >= pass.parameters.size())
          return error("MO-PASS-0022", "{} has {} settings, but another value was given", pass.name,
                       pass.parameters.size())
              .hint("`--describe {}` lists its settings", pass.name);
        key = pass.parameters[next++];
      }
      MO_ASSIGN(AttributeValue value, read_value());
      parameters.set(key, std::move(value));
    }
    return {};
  }

  Expected<AttributeValue> read_value() {
    if (take('"')) {
      const std::size_t end = text_.find('"', at_);
      if (end == std::string_view::npos) return problem("the text in quotes does not end");
      const std::string value(text_.substr(at_, end - at_));
      at_ = end + 1;
      return AttributeValue(value);
    }
    const std::string_view value = word();
    if (value.empty()) return problem("a value was wanted");
    if (value == "true" || value == "false") return AttributeValue(value == "true");
    std::int64_t whole = 0;
    if (const auto [end, bad] = std::from_chars(value.data(), value.data() + value.size(), whole);
        bad == std::errc() && end == value.data() + value.size())
      return AttributeValue(whole);
    double real = 0;
    if (const auto [end, bad] = std::from_chars(value.data(), value.data() + value.size(), real);
        bad == std::errc() && end == value.data() + value.size())
      return AttributeValue(real);
    return AttributeValue(value);
  }

  std::string_view word() {
    const std::size_t start = at_;
    const auto fits = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
             std::string_view("_-.:/+>").find(c) != std::string_view::npos;
    };
    while (at_ < text_.size() && fits(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }
  void skip(std::string_view characters) {
    while (at_ < text_.size() && characters.find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  Diagnostic problem(std::string_view what) const {
    return error("MO-OPT-0001", "--passes, column {}: {}", at_ + 1, what)
        .hint("write them as in \"GeluFusion StridedSliceOptimization(use_shapes=false)\"");
  }

  std::string_view text_;
  const PassLibrary& library_;
  std::size_t at_ = 0;
};

}  // namespace

Expected<std::vector<PassStep>> parse_steps(std::string_view text, const PassLibrary& library) {
  return StepParser(text, library).parse();
}

}  // namespace mo::tools
