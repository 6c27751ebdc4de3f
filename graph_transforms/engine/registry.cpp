#include "graph_transforms/engine/registry.hpp"

namespace mo::graph_transforms {

void TransformRegistry::register_transform(std::string name, TransformFunc transform) {
  const auto [place, is_first] = transforms_.try_emplace(std::move(name), std::move(transform));
  if (!is_first) problems_.push_back(error("MO-GTT-0002", "two transforms are called \"{}\"", place->first).hint("give the second one another name"));
}

const TransformFunc* TransformRegistry::find(std::string_view name) const {
  const auto found = transforms_.find(name);
  return found == transforms_.end() ? nullptr : &found->second;
}

std::vector<std::string> TransformRegistry::names() const {
  std::vector<std::string> names;
  for (const auto& [name, transform] : transforms_) names.push_back(name);
  return names;
}

}  // namespace mo::graph_transforms
