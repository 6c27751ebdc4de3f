#include "ir_emitter/meta_data.hpp"

#include <algorithm>
#include <array>

#include "core/attributes/codec.hpp"
#include "ir_emitter/text.hpp"

namespace mo::ir_emitter {
namespace {

constexpr std::string_view kParameters = "conversion_parameters";
constexpr std::string_view kUnset = "unset_cli_parameters";
/// What readers of version 10 know in <meta_data>. Those since 2022.3 refuse a net that has anything else there
/// ("Unsupported legacy argument").
constexpr std::array<std::string_view, 4> kMetaData = {"MO_version", "Runtime_version", kParameters, "legacy_frontend"};
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

/// Writes <meta_data> or <rt_info> with the records of `info`; nothing when there are none.
Expected<void> write_section(XmlStream& out, std::string_view name, const AttributeMap& info, unsigned depth) {
  if (info.empty()) return {};
  XmlText xml;
  xml.clear(depth);
  xml.start(name);
  const bool is_meta_data = name == "meta_data";
  for (const AttributeMap::Item& item : info) {
    if (is_meta_data && item.name == kParameters && item.value.map())
      MO_TRY(add_cli_parameters(xml, *item.value.map()));
    else
      MO_TRY(add_record(xml, AttributeMap{item}, 0));
  }
  xml.end();
  out.write(xml);
  return {};
}

}  // namespace

Expected<void> write_meta_data(XmlStream& out, const AttributeMap& info, int ir_version, unsigned depth) {
  if (ir_version != 10) return write_section(out, "rt_info", info, depth);
  AttributeMap known;
  AttributeMap rest;
  for (const AttributeMap::Item& item : info) {
    const bool is_known = std::find(kMetaData.begin(), kMetaData.end(), item.name) != kMetaData.end();
    (is_known ? known : rest).set(item.name, item.value);
  }
  MO_TRY(write_section(out, "rt_info", rest, depth));
  return write_section(out, "meta_data", known, depth);
}

}  // namespace mo::ir_emitter
