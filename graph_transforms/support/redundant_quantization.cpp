#include "graph_transforms/support/redundant_quantization.hpp"

namespace mo::graph_transforms {
namespace {

/// What is quantised over the range that it has: the Dequantize, found through Min and Max of a Reshape.
bool measures(const Node& extremum, const Node& dequantize) {
  const Value reshaped = extremum.input(0);
  return reshaped && op_of(reshaped.node()) == "Reshape" && reshaped.node().input(0) == dequantize.output();
}

Expected<bool> remove_redundant(const NodeMatch& match, GraphEditor& editor) {
  const Node quantize = match.node;
  const Node dequantize = match.inputs[0].node;
  if (!measures(match.inputs[1].node, dequantize) || !measures(match.inputs[2].node, dequantize) ||
      quantize.attribute("T") != dequantize.attribute("T"))
    return false;
  for (std::size_t i = 0; i < std::min<std::size_t>(quantize.out_port_count(), 3); ++i)
    editor.redirect(quantize.out_port(i), dequantize.input(i));
  editor.redirect_control(quantize, dequantize.input(0).node());
  const std::vector<Node> measured{match.inputs[1].node.input(0).node(), match.inputs[2].node.input(0).node()};
  editor.erase(quantize);
  editor.erase_unneeded({match.inputs[1].node, match.inputs[2].node});
  editor.erase_unneeded(measured);
  return true;
}

Expected<bool> merge_adjacent(const NodeMatch& match, GraphEditor& editor) {
  const Node outer = match.node;
  const Node inner = match.inputs[0].inputs[0].inputs[0].node;
  for (std::size_t i = 0; i < 3; ++i) editor.set_input(outer, i, inner.input(i));
  return true;
}

}  // namespace

Expected<void> merge_adjacent_requantizations(GraphEditor& editor) {
  const OpTypePattern any{"*", {}};
  const OpTypePattern inner{"Requantize", {any, any, any, {"RequantizationRange", {}}, {"RequantizationRange", {}}}};
  const OpTypePattern between{
      "QuantizeV2", {{"Dequantize", {inner, {"Requantize", {}}, {"Requantize", {}}}}, {"Const", {}}, {"Const", {}}}};
  MO_TRY(replace_all_matching_op_types(
      editor, {"Requantize", {between, {"QuantizeV2", {}}, {"QuantizeV2", {}}, {"Const", {}}, {"Const", {}}}},
      merge_adjacent));
  return {};
}

Expected<void> remove_redundant_quantizations(GraphEditor& editor) {
  const OpTypePattern pattern{"QuantizeV2", {{"Dequantize", {}}, {"Min", {}}, {"Max", {}}}};
  // A Dequantize that others read as well stays for them.
  MO_TRY(replace_all_matching_op_types(editor, pattern, remove_redundant, {.allow_inconsistencies = true}));
  return {};
}

}  // namespace mo::graph_transforms
