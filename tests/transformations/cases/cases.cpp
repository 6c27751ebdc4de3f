#include "tests/transformations/cases/cases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/comparison/closeness.hpp"
#include "core/execution/executor.hpp"
#include "core/graph/bodies.hpp"
#include "core/inference/infer.hpp"
#include "core/tensor/convert.hpp"
#include "frontends/ir/reader.hpp"
#include "tests/support/builtins.hpp"
#include "tools/common/random_inputs.hpp"

namespace mo::test {
namespace {

/// "true" -> true, "3" -> 3; anything else is a text.
AttributeValue value_of(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  char* end = nullptr;
  const long long number = std::strtoll(text.c_str(), &end, 10);
  if (!text.empty() && *end == '\0') return std::int64_t{number};
  return text;
}

/// Arguments of the original's constructors stand in the order of the settings that the transformation declares.
AttributeMap parameters_of(const Pass& pass, const nlohmann::json& test) {
  AttributeMap parameters;
  if (!test.contains("pass_args")) return parameters;
  const auto given = test["pass_args"].find(pass.name);
  if (given == test["pass_args"].end()) return parameters;
  for (std::size_t i = 0; i < given->size() && i < pass.parameters.size(); ++i)
    parameters.set(pass.parameters[i], value_of((*given)[i].get<std::string>()));
  return parameters;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t at; (at = text.find(separator, start)) != std::string::npos; start = at + 1)
    parts.push_back(text.substr(start, at - start));
  parts.push_back(text.substr(start));
  for (std::string& part : parts) {
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
  }
  return parts;
}

/// "ConvertPrecision" or "GraphRewrite(A,B)".
PassStep step_of(const std::string& text, const PassLibrary& library, const nlohmann::json& test,
                 std::vector<std::string>& missing) {
  const bool group = text.starts_with("GraphRewrite(");
  const std::vector<std::string> names =
      group ? split(text.substr(13, text.size() - 14), ',') : std::vector<std::string>{text};
  PassStep step;
  if (group) step.group = "GraphRewrite";
  for (const std::string& name : names) {
    const Pass* const pass = library.find(name);
    if (!pass) {
      missing.push_back(name);
      continue;
    }
    AttributeMap parameters = parameters_of(*pass, test);
    if (test.contains("pass_settings") && pass->parameters.size() == 1 && parameters.empty())
      parameters.set(pass->parameters.front(), test["pass_settings"].get<std::string>());
    step.passes.emplace_back(name, true, std::move(parameters));
  }
  return step;
}

CompareOptions compare_options(const nlohmann::json& test) {
  CompareOptions options;
  options.unread_inputs = false;  // the expected models are built without them
  if (!test.contains("comparator")) {
    options.attributes = true;
    options.constants = true;
    return options;
  }
  const auto& asked = test["comparator"];
  options.closeness = {.relative = 1e-5};  // expected constants are written with six digits
  options.element_types = asked.value("precisions", false);
  options.shapes = asked.value("nodes", false);
  options.attributes = asked.value("attributes", false);
  options.constants = asked.value("const_values", false);
  options.names = asked.value("names", false);
  options.tensor_names = asked.value("tensor_names", false);
  options.runtime_info = asked.value("runtime_keys", false);
  return options;
}

/// The runtime that wrote the cases packs numbers of 4 bits the other way round, and no IR says so.
Expected<void> repack_small_numbers(Graph& graph) {
  for (const auto [node, constant] : graph.each<Const>()) {
    const ElementType type = constant.value.element_type();
    if (type != ElementType::i4 && type != ElementType::u4) continue;
    MO_ASSIGN(const Tensor loaded, constant.value.load());
    MO_ASSIGN(Tensor swapped, Tensor::allocate(type, loaded.shape()));
    std::transform(loaded.bytes().begin(), loaded.bytes().end(), swapped.mutable_bytes().begin(),
                   [](std::byte b) { return (b << 4) | (b >> 4); });
    constant.value = std::move(swapped);
  }
  return {};
}

bool has_runtime_info(const Graph& graph) {
  for (const Node node : graph.nodes())
    if (node.rt_info()) return true;
  return false;
}

Expected<std::unique_ptr<Graph>> read_graph(const std::string& path) {
  DiagnosticList ignored;
  MO_ASSIGN(auto graph, ir::read_ir(path, "", builtins().ops(), ignored));
  for (Graph* const one : with_bodies(*graph)) MO_TRY(repack_small_numbers(*one));
  MO_TRY(infer_graph(*graph));
  graph->set_has_types(true);
  return graph;
}

/// "input_A={2,20,30}; b={1,?}".
Expected<void> reshape(Graph& graph, const std::string& request) {
  for (const std::string& part : split(request, ';')) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    std::vector<Dimension> dims;
    const std::string list = part.substr(equals + 2, part.size() - equals - 3);
    for (const std::string& dim : split(list, ','))
      dims.push_back(dim == "?" ? Dimension() : Dimension(std::stoll(dim)));
    const Node node = graph.find_node(name);
    if (!node) return error("MO-TEST", "there is no input {}", name);
    node.as<Parameter>()->shape = PartialShape(dims);
  }
  return infer_graph(graph);
}

/// Why the graphs do not compute the same; nothing when they do.
std::optional<std::string> numbers_differ(const Graph& a, const Graph& b) {
  const auto inputs = tools::random_inputs(a, 1);
  if (!inputs) return inputs.error().first().message;
  const auto left = execute(a, *inputs);
  if (!left) return "ours does not run: " + left.error().first().message;
  const auto right = execute(b, *inputs);
  if (!right) return "theirs does not run: " + right.error().first().message;
  if (left->size() != right->size()) return "other number of outputs";
  for (std::size_t i = 0; i < left->size(); ++i) {
    const auto difference = difference_of((*left)[i], (*right)[i], closeness::kReordered.of((*left)[i].element_type()));
    if (!difference || !difference->close()) return fmt::format("output {} has other numbers", i);
  }
  return std::nullopt;
}

std::string all(const Error& error) {
  std::string text;
  for (const Diagnostic& item : error.items()) text += item.format() + "\n";
  return text;
}

}  // namespace

TransformationCase read_case(const std::string& folder, const PassLibrary& library) {
  TransformationCase test;
  test.folder = folder;
  test.name = std::filesystem::path(folder).filename().string();
  std::ifstream in(folder + "/test.json");
  const nlohmann::json json = nlohmann::json::parse(in);
  for (const auto& pass : json["passes"])
    test.steps.push_back(step_of(pass.get<std::string>(), library, json, test.missing));
  if (json.contains("reshaped_to")) test.reshaped_to = json["reshaped_to"].get<std::string>();
  test.compare = compare_options(json);
  return test;
}

Outcome run_case(const TransformationCase& test, const PassLibrary& library) {
  using Kind = Outcome::Kind;
  if (!test.missing.empty()) return {Kind::missing, fmt::format("{}", fmt::join(test.missing, ", "))};
  auto actual = read_graph(test.folder + "/before.xml");
  auto expected = read_graph(test.folder + "/after.xml");
  if (!actual) return {Kind::refused, "before.xml: " + all(actual.error())};
  if (!expected) return {Kind::refused, "after.xml: " + all(expected.error())};
  DiagnosticList diagnostics;
  const Settings settings;
  LibraryRun run(library, diagnostics, settings);
  if (auto done = run.run(test.steps, **actual); !done) return {Kind::refused, all(done.error())};
  CompareOptions compare = test.compare;
  // The original compares keys as far as both nodes have some; most expected graphs were built without any.
  compare.runtime_info = compare.runtime_info && has_runtime_info(**expected);
  std::vector<GraphDifference> differences = compare_graphs(**actual, **expected, compare);
  if (differences.empty() && test.reshaped_to) {
    expected = read_graph(test.folder + "/reshaped.xml");
    if (!expected) return {Kind::refused, "reshaped.xml: " + all(expected.error())};
    if (auto done = reshape(**actual, *test.reshaped_to); !done) return {Kind::refused, all(done.error())};
    differences = compare_graphs(**actual, **expected, compare);
  }
  if (differences.empty()) return {};
  std::string text;
  for (const GraphDifference& difference : differences) text += difference.to_string() + "\n";
  if (const auto why = numbers_differ(**actual, **expected)) return {Kind::wrong, text + *why};
  return {Kind::other_form, text};
}

}  // namespace mo::test
