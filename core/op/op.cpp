#include "core/op/op.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>

namespace mo {

const AttributeInfo* OpType::find_attribute(std::string_view attribute) const {
  const auto it = std::find_if(attributes.begin(), attributes.end(),
                               [&](const AttributeInfo& info) { return info.name == attribute; });
  return it == attributes.end() ? nullptr : &*it;
}

const OpType& dynamic_op_type(std::string_view name) {
  struct Entry {
    std::string name;
    OpType type;
  };
  static std::mutex mutex;
  static std::map<std::string, Entry, std::less<>> types;
  const std::lock_guard lock(mutex);
  auto it = types.find(name);
  if (it == types.end()) {
    it = types.emplace(std::string(name), Entry{std::string(name), {}}).first;
    OpType& type = it->second.type;
    type.name = it->second.name;
    type.dynamic = true;
    type.create = []() -> void* { return new AttributeMap(); };
    type.clone = [](const void* op) -> void* { return new AttributeMap(*static_cast<const AttributeMap*>(op)); };
    type.destroy = [](void* op) { delete static_cast<AttributeMap*>(op); };
  }
  return it->second.type;
}

AttributeValue get_attribute(const OpType& type, const void* payload, std::string_view name) {
  if (type.dynamic) {
    const AttributeValue* value = static_cast<const AttributeMap*>(payload)->find(name);
    return value ? *value : AttributeValue();
  }
  const AttributeInfo* info = type.find_attribute(name);
  return info ? info->get(payload) : AttributeValue();
}

Expected<void> set_attribute(const OpType& type, void* payload, std::string_view name, const AttributeValue& value) {
  if (type.dynamic) {
    static_cast<AttributeMap*>(payload)->set(name, value);
    return {};
  }
  const AttributeInfo* info = type.find_attribute(name);
  if (!info) {
    std::vector<std::string_view> names;
    for (const AttributeInfo& a : type.attributes) names.push_back(a.name);
    return error("MO-CORE-0015", "{} has no attribute \"{}\"", type.name, name)
        .hint("its attributes are: {}", names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
  }
  auto result = info->set(payload, value);
  if (!result)
    for (Diagnostic& d : result.error().items()) d.message = fmt::format("attribute {}: {}", name, d.message);
  return result;
}

bool same_attributes(const OpType& type, const void* a, const void* b) {
  if (type.dynamic) return *static_cast<const AttributeMap*>(a) == *static_cast<const AttributeMap*>(b);
  return std::all_of(type.attributes.begin(), type.attributes.end(),
                     [&](const AttributeInfo& info) { return info.get(a) == info.get(b); });
}

AttributeValue Op::attribute(std::string_view name) const { return get_attribute(*type_, payload_, name); }

Expected<void> Op::set_attribute(std::string_view name, const AttributeValue& value) {
  return mo::set_attribute(*type_, payload_, name, value);
}

}  // namespace mo
