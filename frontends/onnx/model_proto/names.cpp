#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "frontends/common/field_record.hpp"
#include "frontends/common/tensor_references.hpp"
#include "frontends/onnx/encoding.hpp"
#include "frontends/onnx/entries.hpp"
#include "frontends/onnx/fields.hpp"
#include "frontends/onnx/model_proto/keys.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "frontends/onnx/model_proto/tensor_names.hpp"
#include "frontends/onnx/model_reader.hpp"

namespace mo::onnx {
namespace {

std::string reference_of(const Node& node, std::size_t index) {
  return index == 0 ? std::string(node.name()) : fmt::format("{}:{}", node.name(), index);
}

const AttributeList& property(const Graph& graph, std::string_view name) {
  static const AttributeList kNone;
  const AttributeValue* const value = graph.properties.find(name);
  const AttributeList* const list = value ? value->get_if<AttributeList>() : nullptr;
  return list ? *list : kNone;
}

const AttributeValue* entry_of(const AttributeList& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const AttributeValue& entry) { return name_in(entry) == name; });
  return found == list.end() ? nullptr : &*found;
}

/// References to the tensors that the model calls by these names; a name that no tensor has stays as it is.
std::vector<std::string> references_to(const Graph& graph, const std::vector<std::string>& names) {
  const frontends::TensorReferences all(graph);
  std::unordered_map<std::string, std::string> references;
  for (const std::string& name : names) references.emplace(name, name);
  for (const Node node : graph.nodes())
    for (std::size_t i = 0; i < node.out_port_count(); ++i)
      if (const auto wanted = references.find(tensor_name(node, i)); wanted != references.end())
        wanted->second = all.text_of(node.out_port(i));
  std::vector<std::string> found;
  for (const std::string& name : names) found.push_back(references.at(name));
  return found;
}

/// The file that an entry of external_data names.
std::optional<std::string> location_in(const Tensor& entry) {
  const auto source = source_in_memory(entry, "an entry of external_data");
  if (!source) return std::nullopt;
  auto read = read_entry(**source, whole_of(**source));
  return read && read->first == "location" ? std::optional(std::move(read->second)) : std::nullopt;
}

}  // namespace

std::string tensor_name(const Node& node, std::size_t index) {
  const AttributeValue* const listed = node.find_attribute(kept_key::kOutputs);
  const auto* const names = listed ? listed->get_if<std::vector<std::string>>() : nullptr;
  if (!names) return reference_of(node, index);
  const auto first = std::find_if(names->begin(), names->end(), [](const std::string& name) { return !name.empty(); });
  if (first == names->end()) return reference_of(node, index);
  if (index == static_cast<std::size_t>(first - names->begin())) return std::string(node.name());
  if (index < names->size() && ((*names)[index].empty() || *first == node.name())) return (*names)[index];
  return reference_of(node, index);
}

std::int64_t fingerprint_of_names(const Graph& graph) {
  std::size_t sum = 0;
  for (const Node node : graph.nodes())
    for (std::size_t i = 0; i < node.out_port_count(); ++i) sum += std::hash<std::string>()(tensor_name(node, i));
  return static_cast<std::int64_t>(sum);
}

std::vector<std::string> model_inputs(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node node : graph.nodes())
    if (node.type() == "onnx::Placeholder") names.emplace_back(node.name());
  return names;
}

std::vector<std::string> model_outputs(const Graph& graph) {
  std::vector<std::string> names;
  for (const AttributeValue& entry : property(graph, kept_key::kModelOutputs)) names.push_back(name_in(entry));
  return references_to(graph, names);
}

bool is_described(const Value& tensor) {
  const Graph& graph = tensor.node().graph();
  const std::string name = tensor_name(tensor.node(), tensor.index());
  return entry_of(property(graph, kept_key::kModelOutputs), name) ||
         entry_of(property(graph, kept_key::kValueInfo), name);
}

Expected<std::vector<Value>> tensors_of(const Graph& graph, const std::vector<std::string>& references) {
  const frontends::TensorReferences all(graph);
  std::vector<Value> tensors;
  for (const std::string& reference : references) {
    tensors.push_back(all.find_value(reference));
    if (!tensors.back())
      return error("MO-ONNX-0064", "there is no tensor '{}'", reference)
          .hint("outputs are named like tensors of the model: mo inspect lists them");
  }
  return tensors;
}

Expected<void> set_model_outputs(Graph& graph, const std::vector<Value>& tensors,
                                 const std::vector<TensorType>& types) {
  const AttributeList& known = property(graph, kept_key::kModelOutputs);
  const AttributeList& described = property(graph, kept_key::kValueInfo);
  AttributeList outputs;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string name = tensor_name(tensors[i].node(), tensors[i].index());
    const AttributeValue* entry = entry_of(known, name);
    if (!entry) entry = entry_of(described, name);
    if (entry) {
      outputs.push_back(*entry);
      continue;
    }
    AttributeList made{name};
    if (i < types.size() && types[i].element_type != ElementType::dynamic) {
      frontends::Encoding info;
      encode_value_info(name, types[i], info);
      std::string bytes;
      MO_TRY(info.append_to(bytes));
      MO_ASSIGN(Tensor payload, Tensor::allocate(ElementType::u8, {static_cast<std::int64_t>(bytes.size())}));
      std::memcpy(payload.mutable_bytes().data(), bytes.data(), bytes.size());
      made.emplace_back(std::move(payload));
    }
    outputs.emplace_back(std::move(made));
  }
  graph.properties.set(kept_key::kModelOutputs, std::move(outputs));
  return {};
}

std::vector<std::string> captured_tensors(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node node : graph.nodes())
    if (const AttributeValue* const captures = node.find_attribute(kept_key::kCaptures))
      for (const std::string& name : *captures->get_if<std::vector<std::string>>())
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return references_to(graph, names);
}

std::string reference_to(const Graph& graph, const std::string& name) { return references_to(graph, {name}).front(); }

std::int64_t operator_version(const Graph& graph) {
  const AttributeValue* const version = graph.properties.find(kept_key::kOpset);
  const std::int64_t* const number = version ? version->get_if<std::int64_t>() : nullptr;
  return number ? *number : 1;
}

bool is_inner_graph(const Graph& graph) { return graph.properties.contains(kept_key::kInner); }

std::set<std::string> external_files(const Graph& graph) {
  std::set<std::string> files;
  for (const Node node : graph.nodes()) {
    const AttributeValue* const kept = node.find_attribute(kept_key::kTensor);
    if (!kept) continue;
    for (const AttributeValue& record : *kept->get_if<AttributeList>()->back().get_if<AttributeList>()) {
      if (frontends::number_of_record(record) != tensor_field::kExternalData) continue;
      if (const Tensor* const entry = frontends::payload_of_record(record)) {
        const std::optional<std::string> location = location_in(*entry);
        if (location) files.insert(*location);
      }
    }
  }
  return files;
}

}  // namespace mo::onnx
