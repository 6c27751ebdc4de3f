#include "graph_transforms/support/convolution_fusing.hpp"

#include <algorithm>

#include "graph_transforms/support/constants.hpp"

namespace mo::graph_transforms {
namespace {

/// The paddings of the four dimensions as explicit_paddings has them; nothing when the convolution cannot take them
/// over.
std::optional<std::vector<std::int64_t>> explicit_paddings(const Node& convolution, const Node& pad) {
  const auto paddings = integers_in(pad.input(1).node());
  const bool adds_zeros = pad.in_port_count() == 2 || single_number_in(pad.input(2).node()) == 0;
  if (!paddings || paddings->size() != 8 || !adds_zeros || convolution.attr<std::string>("padding") != "VALID")
    return std::nullopt;
  const std::string layout = convolution.attr<std::string>("data_format").value_or("NHWC");
  if (layout != "NHWC" && layout != "NCHW") return std::nullopt;
  const std::size_t channels = layout == "NHWC" ? 3 : 1;
  for (const std::size_t dimension : {std::size_t{0}, channels})
    if ((*paddings)[2 * dimension] != 0 || (*paddings)[2 * dimension + 1] != 0) return std::nullopt;
  if (std::any_of(paddings->begin(), paddings->end(), [](std::int64_t size) { return size < 0; })) return std::nullopt;
  return paddings;
}

Expected<bool> fuse_zero_padding(const NodeMatch& match, GraphEditor& editor) {
  const Node convolution = match.node;
  const Node pad = match.inputs[0].node;
  std::optional<std::vector<std::int64_t>> paddings = explicit_paddings(convolution, pad);
  if (!paddings) return false;
  AttributeMap& attributes = attributes_of(convolution);
  attributes.set("padding", "EXPLICIT");
  attributes.set("explicit_paddings", *std::move(paddings));
  editor.set_input(convolution, 0, pad.input(0));
  return true;
}

}  // namespace

Expected<void> copy_attribute(const Node& from, std::string_view name, AttributeMap& attributes, std::string_view to) {
  AttributeValue value = from.attribute(name);
  if (value.is_none())
    return from.error("MO-GTT-0026", "attribute {} is missing", name)
        .hint("apply add_default_attributes before this transform");
  attributes.set(to.empty() ? name : to, std::move(value));
  return {};
}

bool is_plain_convolution(const Node& convolution) {
  const auto dilations = convolution.attr<std::vector<std::int64_t>>("dilations");
  const bool is_dilated =
      dilations && std::any_of(dilations->begin(), dilations->end(), [](std::int64_t d) { return d != 1; });
  const std::string padding = convolution.attr<std::string>("padding").value_or("");
  return !is_dilated && padding != "EXPLICIT" &&
         convolution.attr<std::string>("data_format").value_or("NHWC") == "NHWC";
}

Expected<void> fuse_zero_paddings(GraphEditor& editor, std::string_view padded) {
  const OpTypePattern any{"*", {}};
  const OpTypePattern x{std::string(padded), {}};
  for (const OpTypePattern& pad : {OpTypePattern{"Pad", {x, any}}, OpTypePattern{"PadV2", {x, any, any}}})
    MO_TRY(replace_all_matching_op_types(editor, {"Conv2D", {pad, any}}, fuse_zero_padding));
  return {};
}

}  // namespace mo::graph_transforms
