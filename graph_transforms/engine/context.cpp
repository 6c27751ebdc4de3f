#include "graph_transforms/engine/context.hpp"

#include <algorithm>
#include <charconv>

#include "graph_transforms/engine/names.hpp"

namespace mo::graph_transforms {
namespace {

Diagnostic not_a_number(std::string_view name, std::string_view value) {
  return error("MO-GTT-0011", "Couldn't interpret the {} argument as a number: \"{}\"", name, value)
      .hint("write {}=5", name);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// A number that fills the text, apart from blanks around it.
template <class T>
std::optional<T> number_in(std::string_view text) {
  const std::string_view digits = trimmed(text);
  T value{};
  const auto [end, cause] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || cause != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

template <class T>
Expected<T> one_number(const TransformFuncContext& context, std::string_view name, T fallback) {
  if (context.count_parameters(name) == 0) return fallback;
  MO_ASSIGN(const std::string text, context.one_string(name, ""));
  const std::optional<T> value = number_in<T>(text);
  if (!value) return not_a_number(name, text);
  return *value;
}

bool names_node(const std::vector<std::string>& names,
                const std::optional<std::set<std::string, std::less<>>>& resolved, std::string_view node) {
  if (resolved) return resolved->contains(node);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return refers_to(name, node); });
}

}  // namespace

const std::vector<std::string>& TransformFuncContext::parameters(std::string_view name) const {
  static const std::vector<std::string> kNone;
  if (asked) asked->emplace(name);
  const auto found = params.find(name);
  return found == params.end() ? kNone : found->second;
}

std::size_t TransformFuncContext::count_parameters(std::string_view name) const { return parameters(name).size(); }

Expected<std::string> TransformFuncContext::one_string(std::string_view name, std::string_view fallback) const {
  const std::vector<std::string>& values = parameters(name);
  if (values.empty()) return std::string(fallback);
  if (values.size() > 1)
    return error("MO-GTT-0010", "Expected a single {} argument, but found {} occurrences", name, values.size())
        .hint("give {} once", name);
  return values.front();
}

Expected<std::string> TransformFuncContext::required_string(std::string_view name) const {
  if (count_parameters(name) == 0)
    return error("MO-GTT-0013", "the argument {} is missing", name)
        .hint("write {}=… in the parentheses after the name", name);
  return one_string(name, "");
}

Expected<std::int32_t> TransformFuncContext::one_int32(std::string_view name, std::int32_t fallback) const {
  return one_number(*this, name, fallback);
}
Expected<std::int64_t> TransformFuncContext::one_int64(std::string_view name, std::int64_t fallback) const {
  return one_number(*this, name, fallback);
}
Expected<float> TransformFuncContext::one_float(std::string_view name, float fallback) const {
  return one_number(*this, name, fallback);
}

Expected<bool> TransformFuncContext::one_bool(std::string_view name, bool fallback) const {
  if (count_parameters(name) == 0) return fallback;
  MO_ASSIGN(const std::string text, one_string(name, ""));
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return error("MO-GTT-0012", "Couldn't interpret the {} argument as a bool: \"{}\"", name, text)
      .hint("write {}=true or {}=false", name, name);
}

bool TransformFuncContext::is_input(std::string_view node_name) const {
  return names_node(input_names, input_nodes, node_name);
}
bool TransformFuncContext::is_output(std::string_view node_name) const {
  return names_node(output_names, output_nodes, node_name);
}

std::vector<std::string> TransformFuncContext::unused_parameters() const {
  std::vector<std::string> unused;
  if (!asked) return unused;
  for (const auto& [name, values] : params)
    if (!asked->contains(name)) unused.push_back(name);
  return unused;
}

void TransformFuncContext::resolve_ends(const Graph& graph) {
  std::set<std::string_view> present;
  for (const Node node : graph.nodes()) present.insert(node.name());
  const auto resolved = [&](const std::vector<std::string>& references) {
    std::set<std::string, std::less<>> nodes;
    for (const std::string& reference : references)
      if (present.contains(reference))
        nodes.insert(reference);
      else
        for (const std::string_view node : nodes_referred_to(reference)) nodes.emplace(node);
    return nodes;
  };
  input_nodes = resolved(input_names);
  output_nodes = resolved(output_names);
}

void TransformFuncContext::warn(Diagnostic warning) const {
  if (sink) sink->report(std::move(warning));
}

}  // namespace mo::graph_transforms
