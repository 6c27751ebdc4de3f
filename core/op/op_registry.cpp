#include "core/op/op_registry.hpp"

#include <algorithm>

#include "core/diagnostics/plugin_code.hpp"

namespace mo {
namespace {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

/// Whether a struct can be used through the description of the other one, as far as can be told.
bool same_layout(const OpType& a, const OpType& b) {
  const auto same = [](const AttributeInfo& x, const AttributeInfo& y) { return x.name == y.name && x.kind == y.kind; };
  return a.size == b.size &&
         std::equal(a.attributes.begin(), a.attributes.end(), b.attributes.begin(), b.attributes.end(), same);
}

}  // namespace

void OpRegistry::set_owner(std::string owner, bool override_builtin) { owner_ = {std::move(owner), override_builtin}; }

void OpRegistry::add(const OpType& type) {
  if (owner_.is_plugin()) {
    remember_op_of_plugin(type, type.name, owner_.name);
    if (type.with_layout) remember_op_of_plugin(*type.with_layout, type.name, owner_.name);
  }
  std::vector<Entry>& classes = types_[std::string(type.name)];
  const auto same = std::find_if(classes.begin(), classes.end(), [&](const Entry& e) { return e.type->same_op(type); });
  if (same == classes.end()) {
    const auto place =
        std::find_if(classes.begin(), classes.end(), [&](const Entry& e) { return e.type->version > type.version; });
    classes.insert(place, {&type, {owner_.name, false}});
    return;
  }
  if (!owner_.may_replace(same->owner.name)) {
    problems_.push_back(error("MO-CORE-0020", "op {} (class v{}) is registered twice: by {} and by {}", type.name,
                              type.version, same->owner.name, owner_.name)
                            .hint("rename one, or let the plugin declare that it overrides what is built in"));
    return;
  }
  if (!same_layout(type, *same->type)) {
    problems_.push_back(
        error("MO-PLUGIN-0023", "op {} (class v{}) of plugin {} has other attributes than the one that it overrides",
              type.name, type.version, owner_.name)
            .hint("derive the struct from mo's without adding members, or give the op another name or op set"));
    return;
  }
  *same = {&type, {owner_.name, true}};
}

const Owner& OpRegistry::owner_of(const OpType& type) const {
  static const Owner kMo;
  const auto it = types_.find(type.name);
  if (it != types_.end())
    for (const Entry& e : it->second)
      if (e.type->same_op(type)) return e.owner;
  return kMo;
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
      if (e.type->opset_name.empty() && e.type->opset <= opset && (!best || e.type->opset >= best->opset))
        best = e.type;
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
