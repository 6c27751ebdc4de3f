#include "phases/front/way_around.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace mo::phases {
namespace {

/// Longer lists do not help.
constexpr std::size_t kMostTensors = 5;

/// JSON text. Names of operators are identifiers in all frameworks; a name that is none gets no description.
bool is_plain(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-' || c == ':';
  });
}

/// Attributes that the model gives; what readers add begins with '@'.
std::vector<std::string> attributes_of(const Node& node) {
  std::vector<std::string> names;
  for (const auto& [name, value] : node.attributes())
    // element types only repeat what the inputs are
    if (!name.starts_with('@') && !value.get_if<ElementType>()) names.emplace_back(name);
  return names;
}

/// The message that holds the parameters of a Caffe layer: what comes before the first dot of their paths.
std::string parameter_message(const std::vector<std::string>& attributes) {
  for (const std::string& name : attributes)
    if (const std::size_t dot = name.find('.'); dot != std::string::npos) return name.substr(0, dot);
  return {};
}

void add_mapping(Diagnostic& problem, std::string_view type, const Node& node) {
  const std::string message = parameter_message(attributes_of(node));
  const std::string parameters =
      message.empty() ? R"(hasParam="false")" : fmt::format(R"(hasParam="true" protoParamName="{}")", message);
  problem.notes.push_back(
      "to keep it as a layer that your runtime has, put into a file and give with --custom_layers_mapping "
      "(docs/caffe.md):");
  problem.notes.push_back(fmt::format(
      R"(<CustomLayers><CustomLayer NativeType="{}" {} outputShape="input"/></CustomLayers>)", type, parameters));
}

void add_description(Diagnostic& problem, std::string_view framework, std::string_view op, const Node& node) {
  const std::size_t colons = op.rfind("::");
  const std::string domain =
      colons == std::string_view::npos ? "" : fmt::format(R"( "domain": "{}",)", op.substr(0, colons));
  const std::string_view name = colons == std::string_view::npos ? op : op.substr(colons + 2);
  const std::vector<std::string> shapes(std::max<std::size_t>(1, node.out_port_count()), "\"in0\"");
  const std::vector<std::string> attributes = attributes_of(node);
  problem.notes.push_back(
      "to keep it as a layer that your runtime has, put into a file and give with --custom_ops (docs/custom_ops.md):");
  problem.notes.push_back(fmt::format(R"({{"framework": "{}",{} "op": "{}", "outputs": [{}]}})", framework, domain,
                                      name, fmt::join(shapes, ", ")));
  problem.notes.push_back(
      fmt::format("\"in0\" gives {} the shape of input 0: correct it where the op gives another one{}",
                  shapes.size() == 1 ? "the output" : "each output",
                  attributes.empty() ? "" : fmt::format("; attributes included: {}", fmt::join(attributes, ", "))));
}

}  // namespace

void add_custom_op(Diagnostic& problem, std::string_view framework, std::string_view op, const Node& node) {
  if (!is_plain(op)) return;
  if (framework == "caffe")
    add_mapping(problem, op, node);
  else
    add_description(problem, framework, op, node);
}

std::string name_for_output(const OutPort& port) {
  const Node node = port.node();
  const std::string own =
      port.index() == 0 ? std::string(node.name()) : fmt::format("{}:{}", node.name(), port.index());
  const auto names = port.data().tensor_names();
  // TensorFlow calls the tensor "y:0" and the node "y"; people say "y".
  if (names.empty() || (port.index() == 0 && *names.begin() == own + ":0")) return own;
  return std::string(*names.begin());
}

std::vector<std::string> last_supported_tensors(const Graph& graph, const std::vector<Node>& unsupported) {
  std::unordered_set<std::uint32_t> tainted;  // by id of the node: it needs an unsupported one
  std::vector<Node> open = unsupported;
  for (const Node& node : unsupported) tainted.insert(node.id().index);
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    for (const OutPort& port : node.out_ports())
      for (const InPort& reader : port.get_destinations())
        if (tainted.insert(reader.node().id().index).second) open.push_back(reader.node());
  }
  std::vector<std::string> names;
  for (const Node node : graph.nodes()) {
    if (tainted.contains(node.id().index) || node.is<Parameter>() || node.is<Const>() || node.is<Result>()) continue;
    for (const OutPort& port : node.out_ports()) {
      const auto readers = port.get_destinations();
      const bool is_end = std::ranges::any_of(readers, [&](const InPort& reader) {
        return tainted.contains(reader.node().id().index) || reader.node().is<Result>();
      });
      if (!is_end) continue;
      names.push_back(name_for_output(port));
      if (names.size() > kMostTensors) return {};
    }
  }
  return names;
}

}  // namespace mo::phases
