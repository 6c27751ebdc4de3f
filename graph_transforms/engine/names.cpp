#include "graph_transforms/engine/names.hpp"

#include <algorithm>
#include <charconv>

namespace mo::graph_transforms {

NodeNameParts node_name_parts_from_input(std::string_view input) {
  NodeNameParts parts;
  std::string_view rest = input;
  if (rest.starts_with('^')) {
    parts.prefix = rest.substr(0, 1);
    rest.remove_prefix(1);
  }
  const std::size_t colon = rest.find(':');
  parts.node = rest.substr(0, colon);
  if (colon != std::string_view::npos) parts.suffix = rest.substr(colon, rest.find(':', colon + 1) - colon);
  return parts;
}

std::string_view node_name_from_input(std::string_view input) { return node_name_parts_from_input(input).node; }

std::string canonical_input_name(std::string_view input) {
  const NodeNameParts parts = node_name_parts_from_input(input);
  return std::string(parts.prefix).append(parts.node).append(parts.suffix.empty() ? ":0" : parts.suffix);
}

std::vector<std::string_view> nodes_referred_to(std::string_view reference) {
  std::vector<std::string_view> names{reference};
  const std::size_t colon = reference.rfind(':');
  if (colon != std::string_view::npos && reference.find_first_not_of("0123456789", colon + 1) == std::string_view::npos)
    names.push_back(reference.substr(0, colon));
  return names;
}

std::size_t port_referred_to(std::string_view reference, std::string_view node) {
  std::size_t port = 0;
  if (reference.size() > node.size())
    std::from_chars(reference.data() + node.size() + 1, reference.data() + reference.size(), port);
  return port;
}

bool refers_to(std::string_view reference, std::string_view node) {
  if (!reference.starts_with(node)) return false;
  const std::vector<std::string_view> names = nodes_referred_to(reference);
  return std::find(names.begin(), names.end(), node) != names.end();
}

}  // namespace mo::graph_transforms
