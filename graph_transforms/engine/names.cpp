#include "graph_transforms/engine/names.hpp"

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

}  // namespace mo::graph_transforms
