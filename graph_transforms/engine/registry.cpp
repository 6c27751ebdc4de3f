#include "graph_transforms/engine/registry.hpp"

#include "core/diagnostics/assert.hpp"

namespace mo::graph_transforms {

void TransformRegistry::register_transform(std::string name, Scope scope, Numbers numbers, TransformFunc transform) {
  const auto [place, is_first] = transforms_.try_emplace(std::move(name), Entry{std::move(transform), scope, numbers});
  if (!is_first)
    problems_.push_back(error("MO-GTT-0002", "two transforms are called \"{}\"", place->first)
                            .hint("give the second one another name"));
}

void TransformRegistry::describe(std::string_view name, TransformDescription description) {
  const auto found = transforms_.find(name);
  MO_ASSERT(found != transforms_.end(), "a transform is described once it is registered");
  found->second.description = std::move(description);
}

const TransformRegistry::Entry* TransformRegistry::find(std::string_view name) const {
  const auto found = transforms_.find(name);
  return found == transforms_.end() ? nullptr : &found->second;
}

std::vector<std::string> TransformRegistry::names(Scope scope) const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : transforms_)
    if (scope == Scope::tensorflow || entry.scope == scope) names.push_back(name);
  return names;
}

}  // namespace mo::graph_transforms
