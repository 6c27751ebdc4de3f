#include <algorithm>
#include <unordered_set>

#include "frontends/ir/graph_builder.hpp"

namespace mo::ir {
namespace {

Diagnostic wrong(std::string_view what) {
  return error("MO-IR-0011", "port map: {}", what)
      .hint("the file is corrupt or was edited: convert the original model again");
}

/// Turns ids of the file into the indices that attribute records hold.
class PortMapReader {
 public:
  PortMapReader(const Layer& layer, const BuiltGraph& built, const Graph& body) : layer_(layer), built_(built) {
    const std::vector<Node> parameters = body.parameters();
    const std::vector<Node> results = body.results();
    for (std::size_t i = 0; i < parameters.size(); ++i)
      parameters_.emplace(parameters[i].id(), static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < results.size(); ++i) results_.emplace(results[i].id(), static_cast<std::int64_t>(i));
  }

  Expected<AttributeList> inputs(const pugi::xml_node& map) {
    AttributeList records;
    std::unordered_set<std::int64_t> fed;
    std::unordered_set<std::size_t> read;
    for (const pugi::xml_node& entry : map.children("input")) {
      MO_TRY(check_attributes(entry));
      MO_ASSIGN(const std::int64_t port, required_integer(entry, "external_port_id"));
      MO_ASSIGN(const std::int64_t parameter, index_in(parameters_, entry, "internal_layer_id", "Parameter"));
      AttributeMap record;
      if (port < 0) {
        if (std::string_view(entry.attribute("purpose").value()) != "current_iteration")
          return wrong("an input without a port that is not the current iteration");
        record.set("input", std::int64_t{-1});
      } else {
        const auto position = layer_.input_at(port);
        if (!position) return wrong(fmt::format("the layer has no input port {}", port));
        // Runtimes keep the first one.
        if (!read.insert(*position).second) return wrong(fmt::format("input port {} feeds two Parameters", port));
        record.set("input", static_cast<std::int64_t>(*position));
      }
      record.set("parameter", parameter);
      if (!fed.insert(parameter).second) return wrong("two inputs feed one Parameter of the body");
      MO_TRY(add_slicing(entry, record));
      records.emplace_back(std::move(record));
    }
    if (fed.size() != parameters_.size()) return wrong("a Parameter of the body is not fed");
    return records;
  }

  Expected<AttributeList> outputs(const pugi::xml_node& map) {
    MO_ASSIGN(const auto position_of, output_positions(map));
    AttributeList records;
    for (const pugi::xml_node& entry : map.children("output")) {
      MO_TRY(check_attributes(entry));
      MO_ASSIGN(const std::int64_t port, required_integer(entry, "external_port_id"));
      MO_ASSIGN(const std::int64_t result, index_in(results_, entry, "internal_layer_id", "Result"));
      if (port < 0 && std::string_view(entry.attribute("purpose").value()) != "execution_condition")
        return wrong("an output without a port that is not the execution condition");
      AttributeMap record;
      record.set("output", port < 0 ? std::int64_t{-1} : position_of.at(port));
      record.set("result", result);
      MO_TRY(add_slicing(entry, record));
      records.emplace_back(std::move(record));
    }
    return records;
  }

  Expected<AttributeList> back_edges(const pugi::xml_node& list) const {
    AttributeList records;
    std::unordered_set<std::int64_t> fed;
    for (const pugi::xml_node& edge : list.children("edge")) {
      MO_TRY(check_attributes(edge));
      AttributeMap record;
      MO_ASSIGN(const std::int64_t result, index_in(results_, edge, "from-layer", "Result"));
      MO_ASSIGN(const std::int64_t parameter, index_in(parameters_, edge, "to-layer", "Parameter"));
      if (!fed.insert(parameter).second) return wrong("two back edges lead to one Parameter");
      record.set("result", result);
      record.set("parameter", parameter);
      records.emplace_back(std::move(record));
    }
    return records;
  }

 private:
  using Indices = std::unordered_map<NodeId, std::int64_t>;

  Expected<std::int64_t> index_in(const Indices& indices, const pugi::xml_node& entry, const char* attribute,
                                  std::string_view wanted) const {
    MO_ASSIGN(const std::int64_t id, required_integer(entry, attribute));
    const auto node = built_.node_of.find(id);
    const auto index = node == built_.node_of.end() ? indices.end() : indices.find(node->second);
    if (index == indices.end()) return wrong(fmt::format("layer {} of the body is not a {}", id, wanted));
    return index->second;
  }

  /// Output port by what the file calls it: real port ids, or any numbers in the order of the ports (an If is usually
  /// written with 0, 1, …). Each output occurs once.
  Expected<std::unordered_map<std::int64_t, std::int64_t>> output_positions(const pugi::xml_node& map) const {
    std::vector<std::int64_t> ids;
    for (const pugi::xml_node& entry : map.children("output")) {
      MO_ASSIGN(const std::int64_t id, required_integer(entry, "external_port_id"));
      if (id >= 0) ids.push_back(id);
    }
    std::sort(ids.begin(), ids.end());
    if (std::adjacent_find(ids.begin(), ids.end()) != ids.end() || ids.size() != layer_.outputs.size())
      return wrong(fmt::format("{} entries for the {} outputs of the layer", ids.size(), layer_.outputs.size()));
    const bool real =
        std::all_of(ids.begin(), ids.end(), [&](std::int64_t id) { return layer_.output_at(id).has_value(); });
    std::unordered_map<std::int64_t, std::int64_t> positions;
    for (std::size_t i = 0; i < ids.size(); ++i)
      positions.emplace(ids[i], static_cast<std::int64_t>(real ? *layer_.output_at(ids[i]) : i));
    return positions;
  }

  /// An axis says that the tensor is sliced (concatenated); the rest has defaults.
  static Expected<void> add_slicing(const pugi::xml_node& entry, AttributeMap& record) {
    MO_ASSIGN(const std::optional<std::int64_t> axis, optional_integer(entry, "axis"));
    if (!axis) return {};
    record.set("axis", *axis);
    struct Item {
      const char* name;
      std::int64_t otherwise;
    };
    for (const Item& item : {Item{"start", 0}, Item{"end", -1}, Item{"stride", 1}, Item{"part_size", 1}}) {
      MO_ASSIGN(const std::optional<std::int64_t> value, optional_integer(entry, item.name));
      record.set(item.name, value.value_or(item.otherwise));
    }
    return {};
  }

  const Layer& layer_;
  const BuiltGraph& built_;
  Indices parameters_;
  Indices results_;
};

bool has_condition(const AttributeList& outputs) {
  return std::any_of(outputs.begin(), outputs.end(), [](const AttributeValue& record) {
    const AttributeValue* output = record.map()->find("output");
    return output && *output == AttributeValue(std::int64_t{-1});
  });
}

}  // namespace

Expected<void> read_port_maps(const Layer& layer, const std::string& prefix, const BuiltGraph& built, const Graph& body,
                              Op& op) {
  MO_ASSIGN(const pugi::xml_node map, only_child(layer.xml, (prefix + "port_map").c_str()));
  MO_ASSIGN(const pugi::xml_node edges, only_child(layer.xml, (prefix + "back_edges").c_str()));
  PortMapReader reader(layer, built, body);
  MO_ASSIGN(AttributeList inputs, reader.inputs(map));
  MO_ASSIGN(AttributeList outputs, reader.outputs(map));
  MO_ASSIGN(AttributeList back_edges, reader.back_edges(edges));
  // Without it a Loop would not know when to stop; a TensorIterator stops at the end of its slices.
  if (op.type().name == "Loop" && !has_condition(outputs))
    return wrong("a Loop without an output that is the execution condition");
  MO_TRY(op.set_attribute(prefix + "input_map", std::move(inputs)));
  MO_TRY(op.set_attribute(prefix + "output_map", std::move(outputs)));
  if (op.type().find_attribute(prefix + "back_edges"))
    MO_TRY(op.set_attribute(prefix + "back_edges", std::move(back_edges)));
  else if (!back_edges.empty())
    return wrong(fmt::format("{} has no back edges", op.type().name));
  return {};
}

}  // namespace mo::ir
