#include "core/op/carried_op.hpp"
#include "ir_emitter/layer_writer.hpp"
#include "ir_emitter/text.hpp"

namespace mo::ir_emitter {
namespace {

/// The element that holds records; nothing for other attributes of a carried op.
std::string_view element_of(const AttributeMap::Item& item) {
  return item.name.starts_with(kCarriedMark) && item.value.get_if<AttributeList>()
             ? std::string_view(item.name).substr(1)
             : std::string_view();
}

/// The body whose connections `records` lists: <then_port_map> belongs to <then_body>.
const Plan* body_of(std::string_view records, const std::vector<std::string_view>& names,
                    const std::vector<Plan>& bodies) {
  constexpr std::string_view kBody = "body";
  for (const std::string_view list : {"port_map", "back_edges"}) {
    if (!records.ends_with(list)) continue;
    const std::string_view prefix = records.substr(0, records.size() - list.size());
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i].starts_with(prefix) && names[i].substr(prefix.size()) == kBody) return &bodies[i];
  }
  return nullptr;
}

/// The id of the layer that {parameter=0} or {result=0} means; nothing when there is none.
std::optional<std::int64_t> layer_of(const AttributeMap& end, const Plan& body) {
  const auto id = [&](std::string_view key, const std::vector<std::uint32_t>& ids) {
    const AttributeValue* value = end.find(key);
    const std::int64_t* number = value ? value->get_if<std::int64_t>() : nullptr;
    return number && *number >= 0 && static_cast<std::uint64_t>(*number) < ids.size()
               ? std::optional(std::int64_t{ids[static_cast<std::size_t>(*number)]})
               : std::nullopt;
  };
  const auto parameter = id(kCarriedParameter, body.parameters);
  return parameter ? parameter : id(kCarriedResult, body.results);
}

Diagnostic impossible_name(const Node& node, std::string_view name) {
  return node.error("MO-EMIT-0010", "\"{}\" cannot be the name of an element or attribute in XML", name)
      .hint("rename it");
}

Expected<void> add_record(XmlText& xml, const Node& node, const AttributeMap& record, const Plan& body) {
  const auto wrong = [&](std::string_view what) {
    return node.error("MO-EMIT-0008", "{}", what).hint("check the pass that built this node or its body");
  };
  const AttributeValue* const element = record.find(kCarriedElement);
  const auto* const name = element ? element->get_if<std::string>() : nullptr;
  if (!name) return wrong("a record of a port map does not name its element");
  if (!is_xml_name(*name)) return impossible_name(node, *name);
  xml.start(*name);
  for (const AttributeMap::Item& item : record) {
    if (item.name == kCarriedElement) continue;
    if (!is_xml_name(item.name)) return impossible_name(node, item.name);
    if (const AttributeMap* const end = item.value.map()) {
      const auto layer = layer_of(*end, body);
      if (!layer) return wrong(fmt::format("{} of a port map is not a Parameter or Result of the body", item.name));
      xml.attribute(item.name, *layer);
      continue;
    }
    MO_ASSIGN(const std::string text, to_ir_text(item.value));
    xml.attribute(item.name, text, true);
  }
  xml.end();
  return {};
}

}  // namespace

Expected<void> add_carried_records(XmlText& xml, const Plan& plan, std::uint32_t id) {
  const Node& node = plan.layers[id];
  const std::vector<std::string_view> names = body_elements(node);
  for (const AttributeMap::Item& item : *static_cast<const AttributeMap*>(node.payload())) {
    const std::string_view element = element_of(item);
    if (element.empty()) continue;
    const Plan* const body = body_of(element, names, plan.bodies.at(id));
    if (!body)
      return node.error("MO-EMIT-0008", "<{}> belongs to no body of the node", element)
          .hint("check the pass that built this node or its body");
    xml.start(element);
    for (const AttributeValue& record : *item.value.get_if<AttributeList>()) {
      if (!record.map())
        return node.error("MO-EMIT-0008", "an entry of <{}> is not a record", element)
            .hint("check the pass that built this node or its body");
      MO_TRY(add_record(xml, node, *record.map(), *body));
    }
    xml.end();
  }
  return {};
}

}  // namespace mo::ir_emitter
