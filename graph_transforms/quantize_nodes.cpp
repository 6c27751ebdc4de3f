#include <algorithm>
#include <map>

#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/support/convolution_fusing.hpp"
#include "graph_transforms/support/fake_quantization.hpp"
#include "graph_transforms/support/redundant_quantization.hpp"

namespace mo::graph_transforms {
namespace {

constexpr std::string_view kEight = "DT_QUINT8";
constexpr std::string_view kWide = "DT_QINT32";

/// An operator that has a form for eight bits.
struct QuantizedForm {
  std::string_view op;
  std::string_view quantized;
  std::vector<std::string_view> copied;                              ///< attributes
  std::vector<std::pair<std::string_view, std::string_view>> types;  ///< attributes
  /// gives 32 bits, which are brought back to eight
  bool is_wide = false;
  int exempt = -1;  ///< an input that is no data
  /// all minima, then all maxima; otherwise in pairs
  bool mins_first = false;
};

const std::vector<QuantizedForm>& forms() {
  using Types = std::vector<std::pair<std::string_view, std::string_view>>;
  static const Types kBoth{{"T1", kEight}, {"T2", kEight}, {"Toutput", kWide}};
  static const std::vector<std::string_view> kWindow{"ksize", "strides", "padding"};
  static const std::vector<QuantizedForm> kForms{
      {"Add", "QuantizedAdd", {}, kBoth, true},
      {"Mul", "QuantizedMul", {}, kBoth, true},
      {"BiasAdd", "QuantizedBiasAdd", {}, {{"T1", kEight}, {"T2", kEight}, {"out_type", kWide}}, true},
      {"Conv2D",
       "QuantizedConv2D",
       {"strides", "padding"},
       {{"Tinput", kEight}, {"Tfilter", kEight}, {"out_type", kWide}},
       true},
      {"MatMul", "QuantizedMatMul", {"transpose_a", "transpose_b"}, kBoth, true},
      {"AvgPool", "QuantizedAvgPool", kWindow, {{"T", kEight}}},
      {"MaxPool", "QuantizedMaxPool", kWindow, {{"T", kEight}}},
      {"Relu", "QuantizedRelu", {}, {{"Tinput", kEight}, {"out_type", kEight}}},
      {"Relu6", "QuantizedRelu6", {}, {{"Tinput", kEight}, {"out_type", kEight}}},
      {"Reshape", "QuantizedReshape", {}, {{"T", kEight}}, false, 1},
      {"Concat", "QuantizedConcat", {"N"}, {{"T", kEight}}, false, 0, true},
      {"ResizeBilinear", "QuantizedResizeBilinear", {"align_corners"}, {{"T", kEight}}, false, 1},
  };
  return kForms;
}

struct QuantizingOptions {
  std::optional<std::pair<float, float>> input_range;
  std::optional<std::pair<float, float>> fallback_range;
  std::vector<std::string> ignored;
};

Expected<std::optional<std::pair<float, float>>> read_range(const TransformFuncContext& context,
                                                            const std::string& name) {
  const std::size_t given = context.count_parameters(name + "_min") + context.count_parameters(name + "_max");
  if (given == 0) return std::optional<std::pair<float, float>>();
  if (context.count_parameters(name + "_min") == 0 || context.count_parameters(name + "_max") == 0)
    return error("MO-GTT-0013", "only one of {0}_min and {0}_max is given", name).hint("give both, or none");
  MO_ASSIGN(const float min, context.one_float(name + "_min", 0));
  MO_ASSIGN(const float max, context.one_float(name + "_max", 0));
  return std::optional(std::pair(min, max));
}

AttributeMap eight_bits() { return AttributeMap{{"T", kEight}, {"mode", "MIN_FIRST"}}; }
std::vector<Value> first_three(const Node& node) { return {node.out_port(0), node.out_port(1), node.out_port(2)}; }

/// Placeholders take eight bits of a known range.
void quantize_placeholders(GraphEditor& editor, const std::pair<float, float>& range) {
  std::vector<Node> placeholders;
  for (const Node node : editor.graph().nodes())
    if (op_of(node) == "Placeholder" && node.attr<ElementType>("dtype") == ElementType::f32)
      placeholders.push_back(node);
  for (const Node& node : placeholders) {
    const std::string name = std::string(node.name()) + "_eightbit/";
    const Node min = editor.create_constant(editor.free_name(name + "min"), Tensor::scalar(range.first));
    const Node max = editor.create_constant(editor.free_name(name + "max"), Tensor::scalar(range.second));
    const Node dequantize = editor.create("Dequantize", editor.free_name(name + "dequantize"), {}, eight_bits());
    editor.redirect(node.output(), dequantize.output());
    attributes_of(node).set("dtype", kEight);
    editor.set_input(dequantize, 0, node.output());
    editor.set_input(dequantize, 1, min.output());
    editor.set_input(dequantize, 2, max.output());
  }
}

/// Quantises a tensor over the range that it has at run time; gives values, minimum and maximum.
std::vector<Value> quantized(GraphEditor& editor, const Node& reader, const Value& x) {
  std::string input(x.node().name());
  if (x.index() > 0) input += fmt::format("__port__{}", x.index());
  const std::string name = fmt::format("{}_eightbit/{}/", reader.name(), input);
  const auto made = [&](std::string_view what) { return editor.free_name(name + std::string(what)); };
  const Node all = editor.create_constant(made("reshape_dims"), Tensor::vector<std::int32_t>({-1}));
  const Node axis = editor.create_constant(made("reduction_dims"), Tensor::vector<std::int32_t>({0}));
  // In a loop, constants have to belong to the iteration of what they are used with.
  for (const Node& constant : {all, axis}) constant.add_control_input(x.node());
  const Node flat = editor.create("Reshape", made("reshape"), {x, all.output()},
                                  AttributeMap{{"T", ElementType::f32}, {"Tshape", ElementType::i32}});
  const AttributeMap reduction{{"T", ElementType::f32}, {"Tidx", ElementType::i32}, {"keep_dims", false}};
  const Node min = editor.create("Min", made("min"), {flat.output(), axis.output()}, reduction);
  const Node max = editor.create("Max", made("max"), {flat.output(), axis.output()}, reduction);
  return first_three(editor.create("QuantizeV2", made("quantize"), {x, min.output(), max.output()}, eight_bits(), 3));
}

/// Brings 32 bits back to eight, over the range that they have or a given one.
Node requantized(GraphEditor& editor, const Node& wide, const std::string& name, const QuantizingOptions& options) {
  std::vector<Value> inputs = first_three(wide);
  if (options.fallback_range) {
    inputs.push_back(
        editor.create_constant(editor.free_name(name + "/fallback_min"), Tensor::scalar(options.fallback_range->first))
            .output());
    inputs.push_back(
        editor.create_constant(editor.free_name(name + "/fallback_max"), Tensor::scalar(options.fallback_range->second))
            .output());
  } else {
    const Node range = editor.create("RequantizationRange", editor.free_name(name + "/requant_range"),
                                     first_three(wide), AttributeMap{{"Tinput", kWide}}, 2);
    inputs.push_back(range.out_port(0));
    inputs.push_back(range.out_port(1));
  }
  return editor.create("Requantize", editor.free_name(name + "/requantize"), inputs,
                       AttributeMap{{"Tinput", kWide}, {"out_type", kEight}}, 3);
}

bool may_quantize(const Node& node, const GraphEditor& editor) {
  if (node.attr<ElementType>("T").value_or(ElementType::f32) != ElementType::f32 ||
      editor.context().is_input(node.name()))
    return false;
  return is_plain_convolution(node) && !node.attr<bool>("half_pixel_centers").value_or(false);
}

Expected<void> quantize_node(GraphEditor& editor, const Node& node, const QuantizedForm& form,
                             const QuantizingOptions& options) {
  AttributeMap attributes;
  for (const std::string_view attribute : form.copied) MO_TRY(copy_attribute(node, attribute, attributes));
  for (const auto& [attribute, type] : form.types) attributes.set(attribute, type);
  if (form.op == "Reshape")
    attributes.set("Tshape", node.has_attr("Tshape") ? node.attribute("Tshape") : AttributeValue(ElementType::i32));
  std::vector<Value> inputs;
  std::vector<std::vector<Value>> ranges;
  std::map<ValueId, std::vector<Value>> known;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    const Value x = node.input(i);
    if (static_cast<int>(i) == form.exempt) {
      inputs.push_back(x);
      continue;
    }
    std::vector<Value>& parts = known[x.id()];
    if (parts.empty()) parts = quantized(editor, node, x);
    inputs.push_back(parts[0]);
    ranges.push_back(parts);
  }
  if (form.mins_first) {
    for (const std::size_t end : {1, 2})
      for (const auto& range : ranges) inputs.push_back(range[end]);
  } else {
    for (const auto& range : ranges) inputs.insert(inputs.end(), range.begin() + 1, range.end());
  }
  const std::string name = std::string(node.name()) + "/eightbit";
  Node result = editor.create(form.quantized, editor.free_name(name), inputs, std::move(attributes), 3);
  if (form.is_wide) result = requantized(editor, result, name, options);
  editor.replace(
      node, editor.create("Dequantize", editor.free_name(name + "/dequantize"), first_three(result), eight_bits()));
  return {};
}

Expected<void> quantize_nodes(Graph& graph, const TransformFuncContext& context) {
  QuantizingOptions options;
  MO_ASSIGN(options.input_range, read_range(context, "input"));
  MO_ASSIGN(options.fallback_range, read_range(context, "fallback"));
  options.ignored = context.parameters("ignore_op");
  GraphEditor editor(graph, context);
  if (options.input_range) quantize_placeholders(editor, *options.input_range);
  MO_TRY(hoist_fake_quantizations(editor));
  MO_TRY(convert_fake_quantizations(editor));
  std::vector<std::pair<Node, const QuantizedForm*>> wanted;
  for (const Node node : graph.nodes()) {
    const auto form =
        std::find_if(forms().begin(), forms().end(), [&](const QuantizedForm& f) { return f.op == op_of(node); });
    const bool is_ignored =
        std::find(options.ignored.begin(), options.ignored.end(), op_of(node)) != options.ignored.end();
    if (form != forms().end() && !is_ignored && may_quantize(node, editor)) wanted.emplace_back(node, &*form);
  }
  for (const auto& [node, form] : wanted) MO_TRY(quantize_node(editor, node, *form, options));
  MO_TRY(merge_adjacent_requantizations(editor));
  return remove_redundant_quantizations(editor);
}

}  // namespace

/// Layers of floats become layers of eight bits, with what brings tensors there and back between them; pairs of these
/// that undo each other vanish.
void register_quantize_nodes(TransformRegistry& registry) {
  registry.register_transform("quantize_nodes", Numbers::quantised, quantize_nodes);
  registry.describe(
      "quantize_nodes",
      {"Turns layers of floats into layers of eight bits",
       {{"input_min", "number", "", "lowest value of quantized Placeholders; only together with input_max"},
        {"input_max", "number", "", "highest value of quantized Placeholders; only together with input_min"},
        {"fallback_min", "number", "",
         "lowest value of activations, instead of RequantizationRange; only together with fallback_max"},
        {"fallback_max", "number", "",
         "highest value of activations, instead of RequantizationRange; only together with fallback_min"},
        {"ignore_op", "text", "", "operators that stay; may be repeated"}}});
}

}  // namespace mo::graph_transforms
