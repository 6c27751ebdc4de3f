#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/rewrite.hpp"

namespace mo::transformations {

/// The tensor names of an input that are not its own are those of the output; the node that computes the output is
/// called by the first of them.
inline void move_output_names(const Node& input, const Value& output) {
  const PortData data = input.output().data();
  std::vector<std::string> names;
  for (const std::string_view name : data.tensor_names()) names.emplace_back(name);
  const auto is_own = [&](const std::string& name) {
    return name == input.name() || name == std::string(input.name()) + ":0";
  };
  const bool has_others = !std::all_of(names.begin(), names.end(), is_own);
  if (!has_others) return;
  data.clear_tensor_names();
  std::string first;
  for (const std::string& name : names) {
    if (is_own(name)) {
      data.add_tensor_name(name);
      continue;
    }
    output.data().add_tensor_name(name);
    if (first.empty()) first = name;
  }
  Graph& graph = input.graph();
  if (const Node other = graph.find_node(first)) other.set_name(graph.unique_name(first + "/other"));
  output.node().set_name(first);
}

}  // namespace mo::transformations
