#include "frontends/tensorflow/public_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/graph/model_ends.hpp"

namespace mo::tensorflow {
namespace {

constexpr std::array<std::string_view, 5> kNothingDone = {"Identity", "IdentityN", "StopGradient", "PreventGradient",
                                                          "Snapshot"};

/// The tensor that is given on.
Value behind_identities(Value value) {
  for (std::size_t steps = 0; steps < limits::kInlinedNodes; ++steps) {  // a damaged model may have a circle of them
    const Node node = value.node();
    if (std::find(kNothingDone.begin(), kNothingDone.end(), op_of(node)) == kNothingDone.end()) break;
    const Value source = value.index() < node.in_port_count() ? node.input(value.index()) : Value();
    if (!source) break;
    value = source;
  }
  return value;
}

/// The name inside of the innermost function.
std::string inner_name(Graph& graph, std::string_view name, const std::unordered_set<std::uint32_t>& calls) {
  for (std::size_t slash = name.rfind('/'); slash != std::string_view::npos && slash > 0;
       slash = name.rfind('/', slash - 1))
    if (const NameId outer = graph.names().find(name.substr(0, slash)); outer.valid() && calls.contains(outer.index))
      return std::string(name.substr(slash + 1));
  return std::string(name);
}

}  // namespace

void name_ends(Graph& graph, std::span<const NameId> calls, PublicNames names, bool has_signature) {
  const bool by_tensors = names == PublicNames::after_tensors;
  for (const Node& parameter : graph.parameters()) {
    if (!by_tensors)
      set_public_name(parameter, {});
    else if (!has_signature)
      set_public_name(parameter, fmt::format("{}:0", parameter.name()));
  }
  std::unordered_set<std::uint32_t> known;
  for (const NameId call : calls) known.insert(call.index);
  for (const Node& result : graph.results()) {
    const Value tensor = behind_identities(result.input(0));
    if (tensor.node().is<Parameter>()) continue;
    const std::string node(tensor.node().name());
    if (!by_tensors) result.set_name(fmt::format("{}:{}", node, tensor.index()));
    if (tensor.node().out_port_count() > 1) continue;
    set_public_name(result, by_tensors ? inner_name(graph, node, known) : node);
  }
}

}  // namespace mo::tensorflow
