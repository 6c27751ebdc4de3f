#include "core/pass/pass_config.hpp"

namespace mo {

bool PassConfig::runs(const Pass& pass) const {
  if (disabled_.contains(pass.name)) return false;
  const bool optional_phase = pass.phase == Phase::front || pass.phase == Phase::middle || pass.phase == Phase::back;
  if (!only_.empty() && optional_phase) return only_.contains(pass.name);
  return pass.enabled || enabled_.contains(pass.name);
}

bool PassConfig::runs(std::string_view name, bool by_default) const {
  const std::string key(name);
  if (disabled_.contains(key)) return false;
  if (!only_.empty()) return only_.contains(key);
  return by_default || enabled_.contains(key);
}

bool PassConfig::enters(std::string_view name, bool by_default) const {
  const std::string key(name);
  return !disabled_.contains(key) && (by_default || enabled_.contains(key) || only_.contains(key));
}

bool PassConfig::leaves_alone(std::initializer_list<std::string_view> names, const Node& node) const {
  if (callbacks_.empty()) return false;
  for (const std::string_view name : names)
    if (const auto it = callbacks_.find(name); it != callbacks_.end() && !name.empty()) return it->second(node);
  const auto all = callbacks_.find(std::string_view());
  return all != callbacks_.end() && all->second(node);
}

std::set<std::string> PassConfig::mentioned() const {
  std::set<std::string> names = enabled_;
  names.insert(disabled_.begin(), disabled_.end());
  names.insert(only_.begin(), only_.end());
  names.insert(explained_.begin(), explained_.end());
  return names;
}

}  // namespace mo
