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
void start_element(XmlText& xml, std::string_view key) {
  const bool is_name = is_xml_name(key);
  xml.start(is_name ? key : "info");
  if (!is_name) xml.attribute("name", key);
}

Expected<void> add_value(XmlText& xml, std::string_view key, const AttributeValue& value) {
  auto text = to_ir_text(value);
  if (!text) {
    for (Diagnostic& d : text.error().items()) d.message = fmt::format("rt_info {}: {}", key, d.message);
    return std::move(text).error();
  }
  xml.attribute("value", *text, true);
  return {};
}

Expected<void> add_record(XmlText& xml, const AttributeMap& record, int depth) {
  for (const AttributeMap::Item& item : record) {
    if (item.value.is_none() || item.name == kUnset) continue;
    start_element(xml, item.name);
    if (item.value.map() && depth < kMaxDepth)
      MO_TRY(add_record(xml, *item.value.map(), depth + 1));
    else
      MO_TRY(add_value(xml, item.name, item.value));
    xml.end();
  }
  return {};
}

/// v10: options sorted by name, then those that were not given.
Expected<void> add_cli_parameters(XmlText& xml, const AttributeMap& parameters) {
  std::vector<AttributeMap::Item> sorted(parameters.begin(), parameters.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  AttributeMap ordered;
  for (AttributeMap::Item& item : sorted) ordered.set(item.name, std::move(item.value));
  xml.start("cli_parameters");
  MO_TRY(add_record(xml, ordered, 1));
  if (const AttributeValue* unset = parameters.find(kUnset); unset && !unset->is_none()) {
    MO_ASSIGN(const std::string names, to_ir_text(*unset));
    xml.start("unset");
    xml.attribute("unset_cli_parameters", names);
    xml.end();
  }
  xml.end();
  return {};
}

}  // namespace

Expected<void> write_meta_data(XmlStream& out, const AttributeMap& info, int ir_version, unsigned depth) {
  if (info.empty()) return {};
  XmlText xml;
  xml.clear(depth);
  xml.start(ir_version == 10 ? "meta_data" : "rt_info");
  if (ir_version == 10) {
    for (const AttributeMap::Item& item : info) {
      if (item.name == kParameters && item.value.map())
        MO_TRY(add_cli_parameters(xml, *item.value.map()));
      else
        MO_TRY(add_record(xml, AttributeMap{item}, 0));
    }
  } else {
    MO_TRY(add_record(xml, info, 0));
  }
  xml.end();
  out.write(xml);
  return {};
}

}  // namespace mo::ir_emitter
