#include "frontends/common/tensor_references.hpp"

#include <fmt/format.h>

#include <charconv>

namespace mo::frontends {
namespace {

/// No node of a model has as many: a text with a larger number names none.
constexpr std::size_t kMostOutputs = std::size_t{1} << 20;

}  // namespace

TensorReferences::TensorReferences(const Graph& graph) {
  for (const Node node : graph.nodes()) nodes_.emplace(node.name(), node);
}

Node TensorReferences::find_node(std::string_view name) const {
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? Node() : found->second;
}

TensorReference TensorReferences::find(std::string_view reference) const {
  if (const Node whole = find_node(reference)) return {whole, 0};
  const std::size_t colon = reference.rfind(':');
  if (colon == std::string_view::npos) return {};
  std::size_t port = 0;
  const char* const end = reference.data() + reference.size();
  const auto [stop, cause] = std::from_chars(reference.data() + colon + 1, end, port);
  if (cause != std::errc() || stop != end || port >= kMostOutputs) return {};
  return {find_node(reference.substr(0, colon)), port};
}

Value TensorReferences::find_value(std::string_view reference) const {
  const TensorReference found = find(reference);
  return found.node && found.port < found.node.out_port_count() ? Value(found.node.out_port(found.port)) : Value();
}

std::string TensorReferences::text_of(const Value& tensor) const {
  const std::string_view name = tensor.node().name();
  if (tensor.index() == 0) return std::string(name);
  std::string port = fmt::format("{}", tensor.index());
  while (find_node(fmt::format("{}:{}", name, port))) port.insert(port.begin(), '0');
  return fmt::format("{}:{}", name, port);
}

}  // namespace mo::frontends
