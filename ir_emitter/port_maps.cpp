#include <unordered_set>

#include "ir_emitter/layer_writer.hpp"

namespace mo::ir_emitter {
namespace {

constexpr std::string_view kBody = "body";
/// What the record of an input (output) says when it is not fed by (does not feed) a port of the node.
constexpr std::int64_t kNoPort = -1;

/// How the maps of one body of a node are turned into elements. Attribute records: {input, parameter, slicing…},
/// {output, result, slicing…}, {result, parameter}; indices count ports of the node, and Parameters and Results of the
/// body.
class PortMapWriter {
 public:
  PortMapWriter(const Plan& plan, std::uint32_t id, const Plan& body, std::string prefix)
      : node_(plan.layers[id]), body_(body), prefix_(std::move(prefix)), inputs_(connected_inputs(node_)) {}

  Expected<void> add_port_map(XmlText& xml) {
    const AttributeValue inputs = node_.attribute(prefix_ + "input_map");
    const AttributeValue outputs = node_.attribute(prefix_ + "output_map");
    if (is_empty(inputs) && is_empty(outputs)) return {};
    const std::string name = prefix_ + "port_map";
    xml.start(name);
    MO_TRY(for_each(inputs, [&](const AttributeMap& record) { return add_input(xml, record); }));
    MO_TRY(for_each(outputs, [&](const AttributeMap& record) { return add_output(xml, record); }));
    xml.end();
    return {};
  }

  Expected<void> add_back_edges(XmlText& xml) {
    const AttributeValue edges = node_.attribute(prefix_ + "back_edges");
    if (is_empty(edges)) return {};
    const std::string name = prefix_ + "back_edges";
    xml.start(name);
    MO_TRY(for_each(edges, [&](const AttributeMap& record) -> Expected<void> {
      MO_ASSIGN(const std::int64_t from, result_layer(record));
      MO_ASSIGN(const std::int64_t to, parameter_layer(record));
      xml.start("edge");
      xml.attribute("from-layer", from);
      xml.attribute("to-layer", to);
      xml.end();
      return {};
    }));
    xml.end();
    return {};
  }

 private:
  static bool is_empty(const AttributeValue& records) {
    const auto* list = records.get_if<AttributeList>();
    return !list || list->empty();
  }

  template <class Fn>
  Expected<void> for_each(const AttributeValue& records, Fn&& fn) const {
    const auto* list = records.get_if<AttributeList>();
    if (!list) return {};
    for (const AttributeValue& record : *list) {
      if (!record.map()) return wrong("an entry of a port map is not a record");
      MO_TRY(fn(*record.map()));
    }
    return {};
  }

  Diagnostic wrong(std::string_view what) const {
    return node_.error("MO-EMIT-0008", "{}{}", prefix_.empty() ? "" : prefix_ + "body: ", what)
        .hint("check the pass that built this node or its body");
  }

  Expected<std::int64_t> index(const AttributeMap& record, std::string_view key, std::size_t count,
                               bool may_be_none = false) const {
    const AttributeValue* value = record.find(key);
    const std::int64_t* number = value ? value->get_if<std::int64_t>() : nullptr;
    if (!number) return wrong(fmt::format("an entry of a port map has no {}", key));
    if (may_be_none && *number == kNoPort) return kNoPort;
    if (*number < 0 || static_cast<std::uint64_t>(*number) >= count)
      return wrong(fmt::format("{} {} does not exist, there are {}", key, *number, count));
    return *number;
  }

  Expected<std::int64_t> parameter_layer(const AttributeMap& record) const {
    return end_layer(record, "parameter", body_.parameters);
  }
  Expected<std::int64_t> result_layer(const AttributeMap& record) const {
    return end_layer(record, "result", body_.results);
  }
  Expected<std::int64_t> end_layer(const AttributeMap& record, std::string_view key,
                                   const std::vector<std::uint32_t>& ids) const {
    MO_ASSIGN(const std::int64_t i, index(record, key, ids.size()));
    return std::int64_t{ids[static_cast<std::size_t>(i)]};
  }

  Expected<void> add_input(XmlText& xml, const AttributeMap& record) {
    MO_ASSIGN(const std::int64_t port, index(record, "input", inputs_, true));
    MO_ASSIGN(const std::int64_t layer, parameter_layer(record));
    // Readers keep only the first body Parameter of an input port.
    if (port != kNoPort && !used_inputs_.insert(port).second)
      return wrong(fmt::format("input {} feeds several Parameters of the body", port));
    add_entry(xml, "input", port, layer, port == kNoPort ? "current_iteration" : "", record);
    return {};
  }

  Expected<void> add_output(XmlText& xml, const AttributeMap& record) {
    MO_ASSIGN(std::int64_t port, index(record, "output", node_.out_port_count(), true));
    MO_ASSIGN(const std::int64_t layer, result_layer(record));
    if (port != kNoPort && !used_outputs_.insert(port).second)
      return wrong(fmt::format("several Results of the body feed output {}", port));
    // TensorIterator and Loop: the number of the port; the branches of an If: counted from 0, as the Model Optimizer
    // writes it.
    if (port != kNoPort && prefix_.empty()) port += static_cast<std::int64_t>(inputs_);
    add_entry(xml, "output", port, layer, port == kNoPort ? "execution_condition" : "", record);
    return {};
  }

  static void add_entry(XmlText& xml, std::string_view name, std::int64_t port, std::int64_t layer,
                        std::string_view purpose, const AttributeMap& record) {
    xml.start(name);
    xml.attribute("external_port_id", port);
    xml.attribute("internal_layer_id", layer);
    const auto number = [&](std::string_view key) {
      const AttributeValue* value = record.find(key);
      return value ? value->get_if<std::int64_t>() : nullptr;
    };
    if (number("axis"))  // sliced or concatenated; without an axis the rest means nothing
      for (const char* key : {"axis", "start", "end", "stride", "part_size"})
        if (const std::int64_t* value = number(key)) xml.attribute(key, *value);
    if (!purpose.empty()) xml.attribute("purpose", purpose);
    xml.end();
  }

  Node node_;
  const Plan& body_;
  std::string prefix_;
  std::size_t inputs_;
  std::unordered_set<std::int64_t> used_inputs_;
  std::unordered_set<std::int64_t> used_outputs_;
};

}  // namespace

Expected<void> add_port_maps(XmlText& xml, const Plan& plan, std::uint32_t id) {
  const std::vector<std::string_view> names = body_elements(plan.layers[id]);
  const std::vector<Plan>& bodies = plan.bodies.at(id);
  std::vector<PortMapWriter> writers;
  for (std::size_t i = 0; i < names.size(); ++i) {
    MO_ASSERT(names[i].ends_with(kBody), "a body attribute that is not called body");
    writers.emplace_back(plan, id, bodies[i], std::string(names[i].substr(0, names[i].size() - kBody.size())));
  }
  for (PortMapWriter& writer : writers) MO_TRY(writer.add_port_map(xml));
  for (PortMapWriter& writer : writers) MO_TRY(writer.add_back_edges(xml));
  return {};
}

}  // namespace mo::ir_emitter
