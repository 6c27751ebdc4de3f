#include <cmath>
#include <cstdlib>
#include <random>

#include "core/execution/executor.hpp"
#include "frontends/onnx/model_proto/model_proto.hpp"
#include "frontends/onnx/model_reader.hpp"
#include "frontends/tensorflow/graph_def/graph_def.hpp"
#include "tests/graph_transforms/transformed.hpp"
#include "tools/transform/evaluation.hpp"

// Chains of transforms on graphs whose names look like ports, numbers and marks: they compute what the graph computed
// before, also when they are written and read.
namespace mo::graph_transforms::testing {
namespace {

/// The same numbers on every machine.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::size_t below(std::size_t count) { return engine_() % count; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[below(all.size())];
  }

 private:
  std::mt19937 engine_;
};

struct NamedNode {
  std::string name;
  std::string op;
  std::vector<std::size_t> inputs;  ///< tensors
  float value = 0;                  ///< of a constant
};

/// Two inputs, constants, and what is computed of them; each tensor has two elements, or one where it is half of
/// another.
struct HostileGraph {
  std::vector<NamedNode> nodes;
  std::vector<std::pair<std::size_t, std::size_t>> tensors;  ///< node, port
  std::vector<std::size_t> outputs;                          ///< tensors

  void add(NamedNode node) {
    const std::size_t ports = node.op == "Split" ? 2 : 1;
    for (std::size_t port = 0; port < ports; ++port) tensors.emplace_back(nodes.size(), port);
    nodes.push_back(std::move(node));
  }
  std::size_t next() const { return tensors.size(); }
};

HostileGraph random_graph(Dice& dice, std::vector<std::string> names) {
  const auto name = [&] {
    const std::size_t i = dice.below(names.size());
    std::string taken = std::move(names[i]);
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(i));
    return taken;
  };
  HostileGraph graph;
  for (int i = 0; i < 2; ++i) graph.add({name(), "Placeholder", {}});
  for (int i = 0; i < 3; ++i) graph.add({name(), "Const", {}, static_cast<float>(1 + dice.below(9))});
  graph.add({name(), "Split", {dice.below(2) == 0 ? 0 : dice.below(graph.next())}});
  const std::vector<std::string> ops = {"Add", "Mul", "Sub", "Identity", "Add"};
  while (names.size() > 2) {
    const std::string& op = dice.one_of(ops);
    std::vector<std::size_t> inputs;
    for (std::size_t i = 0; i < (op == "Identity" ? 1U : 2U); ++i) inputs.push_back(dice.below(graph.next()));
    graph.add({name(), op, inputs});
  }
  graph.add({name(), "Add", {graph.next() - 1, dice.below(2)}});
  graph.outputs = {graph.next() - 1, 5 + dice.below(2)};  // and a half of the Split
  return graph;
}

/// Inputs keep their names, as values are given by them.
std::string chain_of(Dice& dice, const HostileGraph& graph, const std::vector<std::string>& names,
                     const std::vector<std::string>& transforms) {
  std::vector<std::string> others = names;
  std::erase_if(others,
                [&](const std::string& name) { return name == graph.nodes[0].name || name == graph.nodes[1].name; });
  std::string chain;
  for (std::size_t left = 1 + dice.below(5); left > 0; --left)
    chain += dice.below(6) == 0 ? fmt::format("rename_node(old_node_name=\"{}\", new_node_name=\"{}\") ",
                                              dice.one_of(others), dice.one_of(names))
                                : dice.one_of(transforms) + " ";
  return chain;
}

std::string reference(const HostileGraph& graph, std::size_t tensor) {
  const auto [node, port] = graph.tensors[tensor];
  return port == 0 ? graph.nodes[node].name : fmt::format("{}:{}", graph.nodes[node].name, port);
}

using HostileResults = std::vector<std::vector<float>>;

/// What the graph computes: its first input is (2, 20), its second (3, 30).
HostileResults results_of(const Graph& graph, const Ends& ends) {
  const std::unique_ptr<Graph> part = graph.clone();
  const auto of_model = tools::format_of_graph(*part).outputs(*part, {});  // a GraphDef says none
  const auto tensors = tools::tensors_of(*part, of_model && !of_model->empty() ? *of_model : ends.outputs);
  const auto executable = tensors ? tools::executable_graph(*tensors) : tensors.error();
  EXPECT_TRUE(executable) << executable.error().first().format();
  if (!executable) return {};
  std::vector<Tensor> given;
  for (const Node& parameter : (*executable)->parameters()) {
    const float value = parameter.name() == ends.inputs.front() ? 2 : 3;
    given.push_back(*Tensor::allocate(ElementType::f32, {2}));
    given.back().mutable_values<float>()[0] = value;
    given.back().mutable_values<float>()[1] = value * 10;
  }
  const auto done = execute(**executable, given);
  EXPECT_TRUE(done) << done.error().first().format();
  HostileResults numbers;
  if (!done) return numbers;
  for (const Tensor& tensor : *done) {
    numbers.emplace_back(tensor.values<float>().begin(), tensor.values<float>().end());
    for (float& number : numbers.back())
      if (std::isnan(number)) number = -1;  // of long products; it is not equal to itself
  }
  return numbers;
}

/// Some slips of the chain are ours: a name that is taken, an input or output that got another name.
bool is_slip(const std::string& code) {
  return code == "MO-GTT-0022" || code == "MO-GTT-0007" || code == "MO-GTT-0018";
}

/// the model; or the graph, written and read again
using ReadGraph = std::function<std::unique_ptr<Graph>(const Graph*)>;

/// Whether the chain was applied. `ends`: two inputs, and outputs as a user names them.
bool check_chain(const Ends& ends, const std::string& chain, const ReadGraph& read) {
  const std::unique_ptr<Graph> before = read(nullptr);
  const Transformed result = transformed_model(read(nullptr), chain, ends);
  if (is_slip(result.error_code)) return false;
  EXPECT_EQ(result.error_code, "") << result.error_text << "\n" << chain;
  if (!result.error_code.empty()) return false;
  const HostileResults wanted = results_of(*before, ends);
  const std::unique_ptr<Graph> again = read(result.graph.get());
  const bool is_same = wanted == results_of(*result.graph, ends) && again && wanted == results_of(*again, ends);
  EXPECT_TRUE(is_same) << chain << "outputs " << fmt::format("{}", fmt::join(ends.outputs, ", "));
  return true;
}

/// More of them: MO_CHAINS.
unsigned chains() {
  const char* const given = std::getenv("MO_CHAINS");
  return given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 150;
}

TEST(HostileNames, ChainsOfTransformsKeepWhatAGraphDefComputes) {
  const std::vector<std::string> transforms = {
      "fold_constants",          "obfuscate_names",    "merge_duplicate_nodes",       "fold_constants",
      "sort_by_execution_order", "strip_unused_nodes", "remove_control_dependencies", "remove_nodes(op=Identity)"};
  const std::vector<std::string> names = {"0",   "1",   "2",  "3", "5",  "7",  "10", "0/1",
                                          "1/0", "1.0", ".0", "a", "0a", "00", "62", "_1"};
  unsigned applied = 0;
  for (unsigned seed = 0; seed < chains(); ++seed) {
    Dice dice(seed);
    const HostileGraph graph = random_graph(dice, names);
    const std::string float_type = attribute("T", "type: DT_FLOAT");
    std::string text = constant_of_integers("axis", {}, {0});
    for (const NamedNode& made : graph.nodes) {
      std::string inputs = made.op == "Split" ? "axis" : "";
      for (const std::size_t input : made.inputs) inputs += (inputs.empty() ? "" : " ") + reference(graph, input);
      if (made.op == "Const")
        text += constant(made.name, {2}, {made.value, -made.value});
      else if (made.op == "Placeholder")
        text += node(made.name, made.op, "",
                     attribute("dtype", "type: DT_FLOAT") + attribute("shape", "shape { dim { size: 2 } }"));
      else
        text += node(made.name, made.op, inputs,
                     made.op == "Split" ? float_type + attribute("num_split", "i: 2") : float_type);
    }
    const Ends ends{{graph.nodes[0].name, graph.nodes[1].name},
                    {reference(graph, graph.outputs[0]), reference(graph, graph.outputs[1])}};
    applied += check_chain(ends, chain_of(dice, graph, names, transforms), [&](const Graph* changed) {
      DiagnosticList sink;
      auto read = tensorflow::read_graph_def_text(text, sink);
      if (changed) read = tensorflow::read_graph_def_bytes(*tensorflow::graph_def_bytes(*changed), sink);
      EXPECT_TRUE(read) << read.error().first().format();
      return read ? *std::move(read) : nullptr;
    });
  }
  EXPECT_GT(applied, chains() / 2);
}

TEST(HostileNames, ChainsOfTransformsKeepWhatAnOnnxModelComputes) {
  const std::vector<std::string> transforms = {"fold_constants", "obfuscate_names", "merge_duplicate_nodes",
                                               "sort_by_execution_order", "remove_nodes(op=Identity)"};
  const std::vector<std::string> names = {"0",   "1", "0:1", "1:0", "^0",  "^a",    "a",   "a:0",
                                          "a:1", ":", "0:a", "62",  "x y", "2:0:1", "0:0", "1:1"};
  unsigned applied = 0;
  for (unsigned seed = 0; seed < chains(); ++seed) {
    Dice dice(seed);
    const HostileGraph graph = random_graph(dice, names);
    const auto tensor_name = [&](std::size_t tensor) {
      const auto [node, port] = graph.tensors[tensor];
      return port == 0 ? graph.nodes[node].name : graph.nodes[node].name + " second";
    };
    const auto info = [](const char* field, const std::string& name, int size) {
      return fmt::format(
          "{} {{ name: '{}' type {{ tensor_type {{ elem_type: 1 shape {{ dim {{ dim_value: {} }} }} }} }} }}\n", field,
          name, size);
    };
    std::string text;
    for (const NamedNode& made : graph.nodes) {
      const std::string op = made.op == "Placeholder" || made.op == "Const" ? "" : made.op;
      if (made.op == "Placeholder") text += info("input", made.name, 2);
      if (made.op == "Const")
        text += fmt::format("initializer {{ name: '{}' data_type: 1 dims: 2 float_data: [{}, {}] }}\n", made.name,
                            made.value, -made.value);
      if (op.empty()) continue;
      text += fmt::format("node {{ op_type: '{}' output: '{}'", op, made.name);
      if (op == "Split") text += fmt::format(" output: '{} second'", made.name);
      for (const std::size_t input : made.inputs) text += fmt::format(" input: '{}'", tensor_name(input));
      text += " }\n";
    }
    for (const std::size_t output : graph.outputs)
      text += info("output", tensor_name(output), output == graph.outputs.front() ? 2 : 1);
    const auto bytes =
        onnx::model_from_text("ir_version: 7 opset_import { version: 13 } graph { name: 'g'\n" + text + "}");
    ASSERT_TRUE(bytes) << bytes.error().first().format();
    Ends ends{{graph.nodes[0].name, graph.nodes[1].name}, {}};
    for (const std::size_t output : graph.outputs) ends.outputs.push_back(tensor_name(output));
    applied += check_chain(ends, chain_of(dice, graph, names, transforms), [&](const Graph* changed) {
      DiagnosticList sink;
      auto read = onnx::read_model_proto_bytes(changed ? *onnx::model_proto_bytes(*changed) : *bytes, sink);
      EXPECT_TRUE(read) << read.error().first().format();
      return read ? *std::move(read) : nullptr;
    });
  }
  EXPECT_GT(applied, chains() / 2);
}

}  // namespace
}  // namespace mo::graph_transforms::testing
