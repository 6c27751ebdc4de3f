#include "ops/support/einsum_equation.hpp"

#include <algorithm>

namespace mo::ops {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool has(const EinsumLabels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

Diagnostic malformed(std::string_view equation, std::string_view why) {
  return error("MO-OPS-0330", "'{}' is not an equation: {}", equation, why)
      .hint("write labels (letters or \"...\") per input, as in \"bij,bjk->bik\"");
}

Expected<EinsumLabels> parse_labels(std::string_view text, std::string_view equation) {
  EinsumLabels labels;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_letter(text[i])) {
      labels.push_back(static_cast<unsigned char>(text[i]));
    } else if (text.substr(i, 3) == "...") {
      if (has(labels, kEllipsis)) return malformed(equation, "two ellipses for one tensor");
      labels.push_back(kEllipsis);
      i += 2;
    } else {
      return malformed(equation, fmt::format("'{}' is neither a letter nor an ellipsis", text[i]));
    }
  }
  return labels;
}

/// numpy's rule: the ellipsis first, then what occurs exactly once, in alphabetical order (capitals first).
EinsumLabels implicit_output(const std::vector<EinsumLabels>& inputs) {
  EinsumLabels all;
  for (const EinsumLabels& labels : inputs) all.insert(all.end(), labels.begin(), labels.end());
  std::sort(all.begin(), all.end());
  EinsumLabels output;
  for (const int label : all)
    if (!has(output, label) && (label == kEllipsis || std::count(all.begin(), all.end(), label) == 1))
      output.push_back(label);
  return output;
}

}  // namespace

std::string label_text(const EinsumLabels& labels) {
  std::string text;
  for (const int label : labels)
    text +=
        label == kEllipsis || label >= kFirstBroadcast ? std::string("...") : std::string(1, static_cast<char>(label));
  return text;
}

Expected<EinsumEquation> parse_einsum(std::string_view equation) {
  std::string text;
  std::copy_if(equation.begin(), equation.end(), std::back_inserter(text), [](char c) { return c != ' '; });
  const std::size_t arrow = text.find("->");
  const std::string_view left = std::string_view(text).substr(0, arrow);
  EinsumEquation result;
  for (std::size_t begin = 0; begin <= left.size();) {
    const std::size_t end = std::min(left.find(',', begin), left.size());
    MO_ASSIGN(EinsumLabels labels, parse_labels(left.substr(begin, end - begin), equation));
    result.inputs.push_back(std::move(labels));
    begin = end + 1;
  }
  if (arrow == std::string::npos) {
    result.output = implicit_output(result.inputs);
    return result;
  }
  MO_ASSIGN(result.output, parse_labels(std::string_view(text).substr(arrow + 2), equation));
  for (const int label : result.output) {
    if (std::count(result.output.begin(), result.output.end(), label) > 1)
      return error("MO-OPS-0334", "the output of '{}' has label '{}' twice", equation, label_text({label}))
          .hint("each output label may occur once");
    if (std::none_of(result.inputs.begin(), result.inputs.end(),
                     [label](const EinsumLabels& labels) { return has(labels, label); }))
      return error("MO-OPS-0334", "the output of '{}' has label '{}', which no input has", equation,
                   label_text({label}))
          .hint("correct the equation");
  }
  return result;
}

Expected<EinsumEquation> expand_ellipses(const EinsumEquation& equation, const std::vector<PartialShape>& shapes) {
  EinsumEquation result;
  std::size_t most = 0;
  const auto expand = [](const EinsumLabels& labels, std::size_t count) {
    EinsumLabels expanded;
    for (const int label : labels) {
      if (label != kEllipsis) expanded.push_back(label);
      for (std::size_t i = label == kEllipsis ? count : 0; i-- > 0;)
        expanded.push_back(kFirstBroadcast + static_cast<int>(i));
    }
    return expanded;
  };
  for (std::size_t i = 0; i < equation.inputs.size(); ++i) {
    const EinsumLabels& labels = equation.inputs[i];
    const bool ellipsis = has(labels, kEllipsis);
    const std::size_t letters = labels.size() - (ellipsis ? 1 : 0);
    const std::size_t rank = shapes[i].has_rank() ? shapes[i].size() : letters;
    if (ellipsis ? rank < letters : rank != letters)
      return error("MO-OPS-0332", "input {} of shape {} does not fit the labels '{}'", i, shapes[i].to_string(),
                   label_text(labels))
          .hint("the equation needs one label per dimension");
    if (ellipsis) most = std::max(most, rank - letters);
    result.inputs.push_back(expand(labels, rank - letters));
  }
  if (most > 0 && !has(equation.output, kEllipsis))
    return error("MO-OPS-0334", "dimensions of an ellipsis are missing in the output '{}'", label_text(equation.output))
        .hint("add \"...\" to the output of the equation");
  result.output = expand(equation.output, most);
  return result;
}

}  // namespace mo::ops
