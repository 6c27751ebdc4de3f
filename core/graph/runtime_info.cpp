#include "core/graph/runtime_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/graph/graph.hpp"
#include "core/graph/tensor_layout.hpp"

namespace mo {
namespace {

/// The attributes of OpenVINO 2022.1 and of 2021.4 that are not plain marks of plugins.
constexpr RuntimeAttributeRule kRules[] = {
    {"decompression", false},
    {"old_api_map_order", false},
    {"old_api_map_element_type", false},
    {"keep_const_precision", false},
    {"precision_sensitive", false, false},
    {"primitives_priority", true, true, RuntimeAttributeRule::Merge::of_weighted},
    {"disable_constant_folding", false, false},
    {"allow_constant_folding", false, false},
    {"disable_fp16_compression", false, false},
    {"nonconvertable_divide", false, false},  // the spelling is nGraph's
    {"nms_selected_indices", false, false},
    {"dontReverseIndices", true, false},
    {"channel_mask", false, false},  // of pruning
    {"hidden_shape", false, false},
    {kClippedAttribute, false, false},
    {"strides_propagation", true, false},
    {"preprocessing", true},
    {kLayoutAttribute, false},  // belongs to the tensor at an end of the model, not to what computes it
};

bool has_weights(const Node& node) {
  return node.is("Convolution") || node.is("GroupConvolution") || node.is("ConvolutionBackpropData") ||
         node.is("GroupConvolutionBackpropData") || node.is("MatMul");
}

}  // namespace

std::string port_info_key(PortSide side, std::size_t port) {
  return fmt::format("{}{} {}", kPortInfoPrefix, side == PortSide::input ? "in" : "out", port);
}

const AttributeMap* port_info(const Node& node, PortSide side, std::size_t port) {
  const AttributeMap* const info = node.rt_info();
  const AttributeValue* const attributes = info ? info->find(port_info_key(side, port)) : nullptr;
  return attributes ? attributes->map() : nullptr;
}

RuntimeAttributeRule runtime_attribute_rule(std::string_view name) {
  if (name.starts_with(kPortInfoPrefix)) return {name, false, false};
  const auto* const it = std::find_if(std::begin(kRules), std::end(kRules),
                                      [&](const RuntimeAttributeRule& rule) { return rule.name == name; });
  return it == std::end(kRules) ? RuntimeAttributeRule{name, true, !name.starts_with(kNotePrefix)} : *it;
}

AttributeMap merged_runtime_info(std::span<const Node> sources) {
  AttributeMap merged;
  std::vector<std::string> dropped;
  for (const Node& node : sources) {
    const AttributeMap* const info = node.rt_info();
    if (!info) continue;
    for (const AttributeMap::Item& item : *info) {
      const RuntimeAttributeRule rule = runtime_attribute_rule(item.name);
      if (!rule.copyable ||
          (rule.merge == RuntimeAttributeRule::Merge::of_weighted && sources.size() > 1 && !has_weights(node)))
        continue;
      if (const AttributeValue* const known = merged.find(item.name); !known)
        merged.set(item.name, item.value);
      else if (!(*known == item.value))
        dropped.emplace_back(item.name);
    }
  }
  for (const std::string& name : dropped) merged.erase(name);
  return merged;
}

void copy_runtime_info(std::span<const Node> from, const Node& to) {
  const bool any = std::any_of(from.begin(), from.end(), [](const Node& node) { return node.rt_info() != nullptr; });
  if (!any) return;
  const AttributeMap merged = merged_runtime_info(from);
  for (const AttributeMap::Item& item : merged) {
    const AttributeMap* const own = to.rt_info();
    if (own && own->find(item.name)) continue;
    const AttributeMap* const fields = item.value.map();
    to.set_rt_info(item.name, fields ? *fields : AttributeMap());
  }
}

}  // namespace mo
