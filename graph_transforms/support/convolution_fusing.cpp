#include "graph_transforms/support/convolution_fusing.hpp"

#include <algorithm>

namespace mo::graph_transforms {

Expected<void> copy_attribute(const Node& from, std::string_view name, AttributeMap& attributes, std::string_view to) {
  AttributeValue value = from.attribute(name);
  if (value.is_none()) return from.error("MO-GTT-0026", "attribute {} is missing", name).hint("apply add_default_attributes before this transform");
  attributes.set(to.empty() ? name : to, std::move(value));
  return {};
}

bool is_plain_convolution(const Node& convolution) {
  const auto dilations = convolution.attr<std::vector<std::int64_t>>("dilations");
  const bool is_dilated = dilations && std::any_of(dilations->begin(), dilations->end(), [](std::int64_t d) { return d != 1; });
  const std::string padding = convolution.attr<std::string>("padding").value_or("");
  return !is_dilated && padding != "EXPLICIT" && convolution.attr<std::string>("data_format").value_or("NHWC") == "NHWC";
}

}  // namespace mo::graph_transforms
