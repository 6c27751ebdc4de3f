// A GraphDef means the same in another order, under other names, and beside a copy of itself.
#include <algorithm>
#include <optional>
#include <random>

#include "fuzz/harness/check.hpp"
#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/execution.hpp"
#include "fuzz/harness/targets.hpp"
#include "fuzz/harness/wire_tree.hpp"

namespace mo::fuzz {
namespace {

constexpr std::uint32_t kNode = 1;       ///< GraphDef.node
constexpr std::uint32_t kNodeName = 1;   ///< NodeDef.name
constexpr std::uint32_t kNodeInput = 3;  ///< NodeDef.input
constexpr std::string_view kScope = "renamed/";

using Message = std::vector<WireTree>;

Message shuffled(Message model) {
  const auto others =
      std::stable_partition(model.begin(), model.end(), [](const WireTree& field) { return field.number == kNode; });
  std::shuffle(model.begin(), others, std::mt19937(7));
  return model;
}

Message renamed(Message model) {
  for (WireTree& node : model) {
    if (node.number != kNode) continue;
    for (WireTree& field : node.children) {
      if (field.number != kNodeName && field.number != kNodeInput) continue;
      const std::string name = content_of(field);
      field.children.clear();
      field.bytes = name.starts_with('^') ? "^" + std::string(kScope) + name.substr(1) : std::string(kScope) + name;
    }
  }
  return model;
}

Message doubled(const Message& model) {
  Message both = model;
  for (WireTree& field : renamed(model))
    if (field.number == kNode) both.push_back(std::move(field));
  return both;
}

std::string unrenamed(std::string name) { return name.starts_with(kScope) ? name.substr(kScope.size()) : name; }

std::optional<Results> run(const Message& model) {
  const auto graph = converted(options_for("tf", "model.pb", encode(model)));
  if (!graph) return std::nullopt;
  return results_of(*graph, unrenamed);
}

/// The results whose names are in the scope, or those that are not; without it.
Results part_of(const Results& all, bool in_scope) {
  Results part;
  for (const auto& [name, tensor] : all)
    if (name.starts_with(kScope) == in_scope) part.emplace(unrenamed(name), tensor);
  return part;
}

}  // namespace

void run_graph_def_variants(std::string_view input) {
  const auto model = decode(input);
  if (!model) return;
  const auto wanted = run(*model);
  if (!wanted) return;
  const auto ordered = run(shuffled(*model));
  require(ordered.has_value(), "a model cannot be converted when its nodes come in another order");
  require_same(*wanted, *ordered, kOfVariants, "nodes in another order");
  const auto named = run(renamed(*model));
  require(named.has_value(), "a model cannot be converted under other names");
  require_same(*wanted, part_of(*named, true), kOfVariants, "other names");
  const auto both = run(doubled(*model));
  if (!both) return;  // twice as large may be too large
  require_same(*wanted, part_of(*both, false), kOfVariants, "beside a copy");
  require_same(*wanted, part_of(*both, true), kOfVariants, "the copy");
}

}  // namespace mo::fuzz
