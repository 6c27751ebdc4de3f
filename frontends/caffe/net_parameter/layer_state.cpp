#include "frontends/caffe/net_parameter/layer_state.hpp"

#include "frontends/caffe/net_parameter/keys.hpp"
#include "frontends/common/field_record.hpp"

namespace mo::caffe {
namespace {

constexpr std::string_view kPrefix = "caffe::";

/// Part of what the layer was when it was read; null for a layer that a transform made.
const std::string* as_read(const Node& node, std::size_t part) {
  const AttributeList* const kept = kept_list(node.find_attribute(kept_key::kLayer));
  return kept ? (*kept)[part].get_if<std::string>() : nullptr;
}

}  // namespace

std::string layer_name(const Node& node) {
  const std::string* const name = as_read(node, 0);
  return name && *name == node.name() ? *as_read(node, 1) : std::string(node.name());
}

std::string layer_type(const Node& node) {
  const std::string_view type = node.type();
  return std::string(type.starts_with(kPrefix) ? type.substr(kPrefix.size()) : type);
}

bool has_type_as_read(const Node& node) {
  const std::string* const type = as_read(node, 2);
  return type && *type == node.type();
}

Expected<std::vector<std::string>> bottoms_of(const Node& node, const BlobNames& names) {
  const std::vector<std::string>& read = kept_names(node, kept_key::kBottoms);
  std::vector<std::string> bottoms;
  for (const InPort& port : node.in_ports()) {
    const Value source = port.get_source();
    if (source && is_constant(source.node())) continue;
    if (source)
      bottoms.push_back(names.of(source));
    else if (is_skipped(node) && port.index() < read.size())
      bottoms.push_back(names.renamed(read[port.index()]));
    else
      return node.error("MO-CAFFE-0062", "input {} of the layer is gone", port.index())
          .hint("a transform removed its producer: leave that transform out");
  }
  return bottoms;
}

std::vector<std::string> tops_of(const Node& node, const BlobNames& names) {
  std::vector<std::string> tops;
  for (const OutPort& port : node.out_ports()) tops.push_back(names.of(port));
  return tops;
}

std::vector<Node> weights_of(const Node& node) {
  std::vector<Node> weights;
  for (const InPort& port : node.in_ports())
    if (const Value source = port.get_source(); source && is_constant(source.node())) weights.push_back(source.node());
  return weights;
}

bool is_blob_as_read(const Node& constant) {
  const AttributeList* const kept = kept_list(constant.find_attribute(kept_key::kBlob));
  const AttributeValue* const value = constant.find_attribute("value");
  return kept && value && frontends::is_as_read(*value, kept->front());
}

std::vector<ParameterChange> changed_parameters(const Node& node) {
  std::vector<ParameterChange> changes;
  const AttributeValue* const kept = node.find_attribute(kept_key::kParameters);
  const AttributeMap none;
  const AttributeMap& before = kept ? *kept->map() : none;
  const AttributeMap& now = *static_cast<const AttributeMap*>(node.payload());
  for (const AttributeMap::Item& item : before)
    if (!now.contains(item.name)) changes.push_back({item.name, nullptr});
  if (layer_type(node) == "Placeholder") return changes;  // its attributes are ours
  for (const AttributeMap::Item& item : now) {
    if (item.name.starts_with('@')) continue;
    const AttributeValue* const old = before.find(item.name);
    if (!old || !(*old == item.value)) changes.push_back({item.name, &item.value});
  }
  return changes;
}

}  // namespace mo::caffe
