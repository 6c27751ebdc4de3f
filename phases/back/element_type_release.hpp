#pragma once

#include <optional>
#include <string_view>

#include "core/graph/graph.hpp"
#include "core/op/runtimes.hpp"

namespace mo::phases {

/// The release with which the element type of an output came, for what the node is: a constant, an input of the model
/// or computed; empty: no release has it. Nothing for types that every release has.
inline std::optional<std::string_view> first_release_with_type(const OutPort& port) {
  const ElementTypeReleases* const releases = releases_with(port.type().element_type);
  if (!releases) return std::nullopt;
  const Node node = port.node();
  return node.is<Const>() ? releases->constants : node.is<Parameter>() ? releases->inputs : releases->results;
}

}  // namespace mo::phases
