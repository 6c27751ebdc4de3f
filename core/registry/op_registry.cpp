#include "core/registry/op_registry.hpp"

#include <algorithm>

namespace mo {
namespace {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

void OpRegistry::set_owner(std::string owner, bool override_builtin) {
  owner_ = std::move(owner);
  override_ = override_builtin;
}

void OpRegistry::add(const OpType& type) {
  std::vector<Entry>& classes = types_[std::string(type.name)];
  const auto same = std::find_if(classes.begin(), classes.end(), [&](const Entry& e) { return e.type->same_op(type); });
  if (same != classes.end()) {
    if (!override_) {
      problems_.push_back(
          error("MO-CORE-0020", "op {} (class v{}) is registered twice: by {} and by {}", type.name, type.version, same->owner, owner_)
              .hint("rename one, or let the plugin say that it overrides the built-in"));
      return;
    }
    *same = {&type, owner_};
    return;
  }
  const auto place = std::find_if(classes.begin(), classes.end(), [&](const Entry& e) { return e.type->version > type.version; });
  classes.insert(place, {&type, owner_});
}

const OpType* OpRegistry::find(std::string_view type, int version) const {
  const auto it = types_.find(type);
  if (it == types_.end()) return nullptr;
  for (const Entry& e : it->second)
    if (e.type->version == version && e.type->opset_name.empty()) return e.type;
  return nullptr;
}

const OpType* OpRegistry::newest(std::string_view type) const {
  const auto it = types_.find(type);
  return it == types_.end() ? nullptr : it->second.back().type;
}

const OpType* OpRegistry::in_opset(std::string_view type, int opset) const {
  const auto it = types_.find(type);
  const OpType* best = nullptr;
  if (it != types_.end())
    for (const Entry& e : it->second)
      if (e.type->opset_name.empty() && e.type->opset <= opset && (!best || e.type->opset >= best->opset)) best = e.type;
  return best;
}

const OpType* OpRegistry::in_opset(std::string_view type, std::string_view opset_name) const {
  const auto it = types_.find(type);
  if (it != types_.end())
    for (const Entry& e : it->second)
      if (e.type->opset_name == opset_name) return e.type;
  return nullptr;
}

std::string_view OpRegistry::exact_type(std::string_view type) const {
  for (const auto& [name, classes] : types_)
    if (equal_ignoring_case(name, type)) return name;
  return {};
}

std::vector<const OpType*> OpRegistry::all() const {
  std::vector<const OpType*> found;
  for (const auto& [name, classes] : types_)
    for (const Entry& e : classes) found.push_back(e.type);
  return found;
}

}  // namespace mo
