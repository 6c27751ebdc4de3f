#include "ir_emitter/meta_data.hpp"

#include <algorithm>

#include "core/attributes/codec.hpp"
#include "ir_emitter/text.hpp"

namespace mo::ir_emitter {
namespace {

constexpr std::string_view kParameters = "conversion_parameters";
constexpr std::string_view kUnset = "unset_cli_parameters";
/// Deeper records are refused; our own have two levels.
constexpr int kMaxDepth = 8;

/// <key …>, or <info name="key" …> when the key cannot name an element.
pugi::xml_node add_element(pugi::xml_node parent, std::string_view key) {
  if (is_xml_name(key)) return parent.append_child(std::string(key).c_str());
  pugi::xml_node info = parent.append_child("info");
  info.append_attribute("name").set_value(xml_safe(key).c_str());
  return info;
}

Expected<void> add_value(pugi::xml_node element, std::string_view key, const AttributeValue& value) {
  auto text = to_ir_text(value);
  if (!text) {
    for (Diagnostic& d : text.error().items()) d.message = fmt::format("rt_info {}: {}", key, d.message);
    return std::move(text).error();
  }
  element.append_attribute("value").set_value(xml_safe(*text, true).c_str());
  return {};
}

Expected<void> add_record(pugi::xml_node parent, const AttributeMap& record, int depth) {
  for (const AttributeMap::Item& item : record) {
    if (item.value.is_none() || item.name == kUnset) continue;
    pugi::xml_node element = add_element(parent, item.name);
    if (item.value.map() && depth < kMaxDepth)
      MO_TRY(add_record(element, *item.value.map(), depth + 1));
    else
      MO_TRY(add_value(element, item.name, item.value));
  }
  return {};
}

/// v10: options sorted by name, then those that were not given.
Expected<void> add_cli_parameters(pugi::xml_node parent, const AttributeMap& parameters) {
  std::vector<AttributeMap::Item> sorted(parameters.begin(), parameters.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  AttributeMap ordered;
  for (AttributeMap::Item& item : sorted) ordered.set(item.name, std::move(item.value));
  pugi::xml_node element = parent.append_child("cli_parameters");
  MO_TRY(add_record(element, ordered, 1));
  if (const AttributeValue* unset = parameters.find(kUnset); unset && !unset->is_none()) {
    MO_ASSIGN(const std::string names, to_ir_text(*unset));
    element.append_child("unset").append_attribute("unset_cli_parameters").set_value(xml_safe(names).c_str());
  }
  return {};
}

}  // namespace

Expected<void> write_meta_data(XmlStream& xml, const AttributeMap& info, int ir_version, unsigned depth) {
  if (info.empty()) return {};
  pugi::xml_document document;
  pugi::xml_node root = document.append_child(ir_version == 10 ? "meta_data" : "rt_info");
  if (ir_version == 10) {
    for (const AttributeMap::Item& item : info) {
      if (item.name == kParameters && item.value.map())
        MO_TRY(add_cli_parameters(root, *item.value.map()));
      else
        MO_TRY(add_record(root, AttributeMap{item}, 0));
    }
  } else {
    MO_TRY(add_record(root, info, 0));
  }
  xml.element(depth, root);
  return {};
}

}  // namespace mo::ir_emitter
