#include "graph_transforms/support/fake_quantization.hpp"

namespace mo::graph_transforms {
namespace {

constexpr std::string_view kFakeQuant = "FakeQuantWithMinMaxVars";
constexpr std::string_view kPassesRange = "Relu|Relu6|MaxPool|AvgPool|Identity";

Expected<bool> convert(const NodeMatch& match, GraphEditor& editor) {
  const Node node = match.node;
  // Eight bits are what the rest of this transform writes.
  if (node.attr<std::int64_t>("num_bits").value_or(8) != 8 || node.attr<bool>("narrow_range").value_or(false))
    return false;
  const std::string name = std::string(node.name()) + "_eightbit/";
  const Value x = node.input(0), min = node.input(1), max = node.input(2);
  const AttributeValue wide = "DT_QINT32";
  const Node quantize = editor.create("QuantizeV2", editor.free_name(name + "quantize"), {x, min, max},
                                      AttributeMap{{"T", wide}, {"mode", "MIN_FIRST"}}, 3);
  const Node requantize = editor.create("Requantize", editor.free_name(name + "requantize"),
                                        {quantize.out_port(0), quantize.out_port(1), quantize.out_port(2), min, max},
                                        AttributeMap{{"Tinput", wide}, {"out_type", "DT_QUINT8"}}, 3);
  editor.replace(node, editor.create("Dequantize", editor.free_name(name + "dequantize"),
                                     {requantize.out_port(0), requantize.out_port(1), requantize.out_port(2)},
                                     AttributeMap{{"T", "DT_QUINT8"}, {"mode", "MIN_FIRST"}}));
  return true;
}

}  // namespace

Expected<void> hoist_fake_quantizations(GraphEditor& editor) {
  std::vector<Node> nodes;
  for (const Node node : editor.graph().nodes())
    if (op_of(node) == kFakeQuant && node.in_port_count() == 3) nodes.push_back(node);
  for (const Node& node : nodes) {
    const Value top = node.input(0);
    Node bottom = node;
    for (Node next = top.node();
         is_op_of(op_of(next), kPassesRange) && next.in_port_count() == 1 && editor.is_only_read_by(next, bottom);
         next = bottom.input(0).node())
      bottom = next;
    if (bottom == node) continue;
    const std::string name(node.name());
    const Value source = bottom.input(0);
    editor.redirect(node.output(), top);
    editor.redirect_control(node, top.node());
    editor.set_input(node, 0, source);
    editor.set_input(bottom, 0, node.output());
    editor.rename(node, editor.free_name(name + "_hoisted"));
    editor.rename(top.node(), name);
  }
  return {};
}

Expected<void> convert_fake_quantizations(GraphEditor& editor) {
  MO_TRY(replace_all_matching_op_types(editor, {std::string(kFakeQuant), {{"*", {}}, {"Const", {}}, {"Const", {}}}},
                                       convert));
  return {};
}

}  // namespace mo::graph_transforms
