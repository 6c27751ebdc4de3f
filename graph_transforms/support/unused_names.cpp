#include "graph_transforms/support/unused_names.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "core/support/nearest.hpp"
#include "graph_transforms/engine/editor.hpp"

namespace mo::graph_transforms {
namespace {

using Names = std::set<std::string, std::less<>>;

void warn_of(const TransformFuncContext& context, std::string_view argument, std::string_view what,
             const Names& present) {
  const std::vector<std::string>& wanted = context.parameters(argument);
  const auto is_there = [&](const std::string& name) { return name == "*" || present.contains(name); };
  if (wanted.empty() || std::any_of(wanted.begin(), wanted.end(), is_there)) return;
  const std::string close = nearest(wanted.front(), {present.begin(), present.end()}, 1 + wanted.front().size() / 3);
  Diagnostic found = warning("MO-GTT-0065", "{}: the graph has no {} '{}'", argument, what, fmt::join(wanted, "', '"));
  context.warn(close.empty() ? std::move(found).hint("summarize_graph lists what there is")
                             : std::move(found).hint("did you mean '{}'?", close));
}

}  // namespace

void warn_of_unknown_ops(const Graph& graph, const TransformFuncContext& context, std::string_view argument) {
  Names present;
  for (const Node node : graph.nodes()) present.emplace(op_of(node));
  warn_of(context, argument, "op", present);
}

void warn_of_unknown_nodes(const Graph& graph, const TransformFuncContext& context, std::string_view argument) {
  Names present;
  for (const Node node : graph.nodes()) present.emplace(node.name());
  warn_of(context, argument, "node", present);
}

void warn_of_unknown_attributes(const Graph& graph, const TransformFuncContext& context, std::string_view argument) {
  Names present;
  for (const Node node : graph.nodes())
    for (const AttributeMap::Item& item : attributes_of(node))
      if (!item.name.starts_with('@')) present.emplace(item.name);
  warn_of(context, argument, "attribute", present);
}

}  // namespace mo::graph_transforms
