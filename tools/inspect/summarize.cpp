#include "tools/inspect/summarize.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "frontends/common/model_kind.hpp"
#include "frontends/tensorflow/data_types.hpp"
#include "frontends/tensorflow/graph_def/attribute_codec.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "frontends/tensorflow/graph_def/library.hpp"
#include "frontends/tensorflow/graph_def/saved_model_graph.hpp"
#include "frontends/tensorflow/graph_def/unfrozen_model.hpp"
#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/sorting.hpp"
#include "tools/common/console.hpp"
#include "tools/inspect/tensor_text.hpp"
#include "tools/transform/flags.hpp"
#include "tools/transform/formats/formats.hpp"

namespace mo::tools {
namespace {

using graph_transforms::is_op_of;
using graph_transforms::op_of;

std::int64_t type_number(const Node& node, std::string_view attribute) {
  return tensorflow::data_type_in(node.attribute(attribute));
}

std::string dimension_text(const Dimension& dimension, std::string_view unknown) {
  return dimension.is_known() ? std::to_string(dimension.value()) : std::string(unknown);
}

std::string shape_text(const Node& node) {
  const std::optional<PartialShape> shape = node.attr<PartialShape>("shape");
  if (!shape) return "None";
  if (!shape->has_rank()) return "<unknown>";
  std::vector<std::string> sizes;
  for (const Dimension& dimension : *shape) sizes.push_back(dimension_text(dimension, "?"));
  return fmt::format("[{}]", fmt::join(sizes, ","));
}

/// "(name=x, type=float(1), shape=[1,2]) " for each node.
std::string described(const std::vector<Node>& nodes) {
  std::string text;
  for (const Node& node : nodes) {
    const std::int64_t type = type_number(node, "dtype");
    text += fmt::format("(name={}, type={}({}), shape={}) ", node.name(), type_text(type), type, shape_text(node));
  }
  return text + "\n";
}

std::string listed(const std::vector<Node>& nodes, std::string_view what, std::string_view found_as) {
  if (nodes.empty()) return fmt::format("No {} spotted.\n", what);
  return fmt::format("Found {} {}: {}", nodes.size(), found_as, described(nodes));
}

class Summary {
 public:
  Summary(const Graph& graph, const std::string& path) : graph_(graph), path_(path) {
    for (const Node node : graph.nodes()) {
      const std::string_view op = op_of(node);
      if (op == "Placeholder") placeholders_.push_back(node);
      if (is_op_of(op, "Variable|VariableV2")) variables_.push_back(node);
      control_edges_ += node.control_inputs().size();
      for (const Node& before : node.control_inputs()) is_read(before);
      for (const InPort& port : node.in_ports())
        if (const Value source = port.get_source()) is_read(source.node());
      if (const std::optional<Tensor> value = op == "Const" ? node.attr<Tensor>("value") : std::nullopt)
        parameters_ += value->element_count();
      if (const auto device = node.attr<std::string>("@device"); device && !device->empty()) ++devices_[*device];
      ++ops_[std::string(op)];
    }
  }

  Expected<std::string> text() {
    MO_ASSIGN(const auto in_functions, tensorflow::count_library_ops(graph_));
    for (const auto& [op, count] : in_functions) ops_[op] += count;
    std::string text =
        listed(placeholders_, "inputs", "possible inputs") + listed(variables_, "variables", "variables") + outputs();
    text += fmt::format("Found {} ({}) const parameters, 0 (0) variable parameters, and {} control_edges\n",
                        parameters_, readable_count(parameters_), control_edges_);
    for (const auto& [device, count] : devices_)
      text += fmt::format("{} nodes assigned to device '{}'\n", count, device);
    return text + op_counts() + benchmark();
  }

  std::string structure() const {
    std::string text;
    for (const Node& node : graph_transforms::sortable_nodes(graph_)) {
      std::vector<std::string> inputs;
      for (const InPort& port : node.in_ports())
        if (const Value source = port.get_source())
          inputs.push_back(source.index() == 0 ? std::string(source.node().name())
                                               : fmt::format("{}:{}", source.node().name(), source.index()));
      for (const Node& before : node.control_inputs()) inputs.push_back(fmt::format("^{}", before.name()));
      text += fmt::format("{} ({}): [{}]", node.name(), op_of(node), fmt::join(inputs, ", "));
      if (const std::optional<Tensor> value = op_of(node) == "Const" ? node.attr<Tensor>("value") : std::nullopt)
        text += ", value=" + tensor_text(*value, type_number(node, "dtype"));
      text += "\n";
    }
    return text;
  }

 private:
  void is_read(const Node& node) {
    read_.resize(graph_.node_capacity(), false);
    read_[node.id().index] = true;
  }

  std::vector<Node> sinks() {
    std::vector<Node> found;
    read_.resize(graph_.node_capacity(), false);
    for (const Node node : graph_.nodes())
      if (!read_[node.id().index] && !is_op_of(op_of(node), "Const|Assign|NoOp|Placeholder")) found.push_back(node);
    return found;
  }

  std::string outputs() {
    const std::vector<Node> found = sinks();
    if (found.empty()) return "No outputs spotted.\n";
    std::string text = fmt::format("Found {} possible outputs: ", found.size());
    for (const Node& node : found) text += fmt::format("(name={}, op={}) ", node.name(), op_of(node));
    return text + "\n";
  }

  std::string op_counts() const {
    std::vector<std::pair<std::string, std::size_t>> counts(ops_.begin(), ops_.end());
    std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<std::string> texts;
    for (const auto& [op, count] : counts) texts.push_back(fmt::format("{} {}", count, op));
    return fmt::format("Op types used: {}\n", fmt::join(texts, ", "));
  }

  std::string benchmark() {
    std::vector<Node> inputs = placeholders_;
    inputs.insert(inputs.end(), variables_.begin(), variables_.end());
    std::vector<std::string> names, types, shapes, outputs;
    for (const Node& node : inputs) {
      names.emplace_back(node.name());
      types.push_back(type_text(type_number(node, "dtype")));
      std::vector<std::string> sizes;
      if (const auto shape = node.attr<PartialShape>("shape"); shape && shape->has_rank())
        for (const Dimension& dimension : *shape) sizes.push_back(dimension_text(dimension, "-1"));
      shapes.push_back(fmt::format("{}", fmt::join(sizes, ",")));
    }
    for (const Node& node : sinks()) outputs.emplace_back(node.name());
    return fmt::format(
        "To use with tensorflow/tools/benchmark:benchmark_model try these arguments:\n"
        "bazel run tensorflow/tools/benchmark:benchmark_model -- --graph={} --show_flops --input_layer={} "
        "--input_layer_type={} "
        "--input_layer_shape={} "
        "--output_layer={}\n",
        path_, fmt::join(names, ","), fmt::join(types, ","), fmt::join(shapes, ":"), fmt::join(outputs, ","));
  }

  const Graph& graph_;
  const std::string& path_;
  std::vector<Node> placeholders_;
  std::vector<Node> variables_;
  std::vector<bool> read_;
  std::size_t control_edges_ = 0;
  std::int64_t parameters_ = 0;
  std::map<std::string, std::size_t> devices_;
  std::map<std::string, std::size_t> ops_;
};

/// A GraphDef, or the one in a SavedModel or MetaGraph.
Expected<std::unique_ptr<Graph>> read_graph(const std::string& path, DiagnosticSink& sink) {
  using frontends::ModelKind;
  const ModelKind kind = frontends::kind_of_path(path);
  if (kind == ModelKind::saved_model_folder) return tensorflow::read_saved_model_graph(path, {}, sink);
  if (kind == ModelKind::saved_model || kind == ModelKind::saved_model_text)
    return tensorflow::read_saved_model_graph(folder_of_saved_model(path), {}, sink);
  if (kind == ModelKind::tensorflow_meta_graph || kind == ModelKind::tensorflow_meta_graph_text) {
    tensorflow::ModelSource source;
    source.meta_graph = path;
    MO_ASSIGN(tensorflow::UnfrozenModel model, tensorflow::read_unfrozen_model(source, sink));
    return std::move(model.graph);
  }
  const std::string_view framework = frontends::framework_of(kind);
  if (!framework.empty() && framework != "tf")
    return error("MO-GTT-0072", "\"{}\" is not a model of TensorFlow", path)
        .hint("mo inspect {} summarizes models of every framework", path);
  return tensorflow::read_graph_def(path, sink);
}

Expected<std::string> summarize(const std::string& path, bool structure) {
  if (path.empty())
    return error("MO-GTT-0032", "in_graph graph can't be empty")
        .hint("say which model to look at: --in_graph=model.pb");
  ConsoleSink sink;
  MO_ASSIGN(const std::unique_ptr<Graph> graph, read_graph(expand_home(path), sink));
  return summary_of(*graph, path, structure);
}

}  // namespace

std::string readable_count(std::int64_t count) {
  if (count < 1000) return std::to_string(count);
  constexpr std::int64_t kMost = 1'000'000'000'000'000;
  if (count >= kMost) return fmt::format("{:.3G}", static_cast<double>(count));
  std::size_t unit = 0;
  for (; count >= 1'000'000; count /= 1000) ++unit;
  return fmt::format("{:.2f}{}", static_cast<double>(count) / 1000.0, "kMBT"[unit]);
}

Expected<std::string> summary_of(const Graph& graph, const std::string& path, bool structure) {
  Summary summary(graph, path);
  MO_ASSIGN(std::string text, summary.text());
  if (structure) text += summary.structure();
  return text;
}

ExitCode summarize_main(int argc, char** argv) {
  std::string path;
  bool structure = false;
  bool help = false;
  const std::vector<Flag> flags = {
      {"in_graph", &path, nullptr, "the GraphDef, binary or text, the folder of a SavedModel, or a .meta file"},
      {"print_structure", nullptr, &structure, "list every node in order of execution"},
      {"help", nullptr, &help, "show this"}};
  const std::string usage = usage_of("summarize_graph", flags);
  auto others = parse_flags(std::vector<std::string>(argv + std::min(argc, 1), argv + argc), flags);
  if (others && !others->empty())
    others = error("MO-GTT-0030", "Unknown argument {}", others->front()).hint("write --in_graph={}", others->front());
  if (!others) {
    print(others.error());
    std::fputs(usage.c_str(), stderr);
    return exit_code_of(others.error());
  }
  const auto text = help ? Expected<std::string>(usage) : summarize(path, structure);
  if (!text) {
    print(text.error());
    return exit_code_of(text.error());
  }
  const bool printed = std::fwrite(text->data(), 1, text->size(), stdout) == text->size() && std::fflush(stdout) == 0;
  return printed ? ExitCode::ok : ExitCode::output_unwritable;
}

}  // namespace mo::tools
