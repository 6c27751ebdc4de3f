#include "tools/transform/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>

#include "core/execution/executor.hpp"
#include "core/tensor/convert.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "tools/common/accelerated.hpp"
#include "tools/common/npy.hpp"
#include "tools/transform/evaluation.hpp"
#include "tools/transform/flags.hpp"

namespace mo::tools {
namespace {

using graph_transforms::TransformFuncContext;

/// The same numbers on every machine: the engine is standardised, the distributions of the standard library are not.
class RandomValues {
 public:
  Expected<Tensor> of(const Node& parameter) {
    const TensorType& type = parameter.output_type();
    if (!type.shape.has_rank() || type.element_type == ElementType::string || type.element_type == ElementType::dynamic)
      return parameter.error("MO-GTT-0041", "there are no random values of {}", type.to_string())
          .hint("give its values: --verify_inputs={}=FILE.npy", parameter.name());
    Shape shape;
    for (const Dimension& dimension : type.shape)
      shape.push_back(dimension.is_known() ? dimension.value() : std::max<std::int64_t>(1, dimension.min()));
    const std::optional<std::int64_t> count = element_count(shape);
    constexpr std::int64_t kMost = std::int64_t{1} << 28;
    if (!count || *count > kMost)
      return parameter.error("MO-GTT-0041", "{} is too large for random values", type.to_string())
          .hint("choose smaller inputs");
    std::vector<double> values(static_cast<std::size_t>(*count));
    const bool is_real_type = is_real(type.element_type);
    for (double& value : values) value = is_real_type ? static_cast<double>(engine_() >> 8) / (1 << 24) : engine_() % 2;
    return from_reals(type.element_type, std::move(shape), values);
  }

 private:
  std::mt19937 engine_{1};
};

/// Only what the outputs need, so that what only training needs has not to be understood.
Expected<std::unique_ptr<Graph>> runnable(const Graph& graph, const TransformFuncContext& context,
                                          const std::vector<std::string>& outputs) {
  std::unique_ptr<Graph> part = graph.clone();
  graph_transforms::TransformRegistry registry;
  graph_transforms::register_all(registry);
  MO_TRY(registry.find("strip_unused_nodes")->run(*part, context));
  MO_ASSIGN(const std::vector<Value> tensors, tensors_of(*part, outputs));
  return executable_graph(tensors);
}

Expected<std::vector<Tensor>> run(const Graph& graph, const GivenInputs& inputs) {
  std::vector<Tensor> values;
  for (const Node& parameter : graph.parameters()) {
    const auto found = inputs.find(parameter.name());
    if (found == inputs.end())
      return parameter.error("MO-GTT-0042", "the changed graph has an input that the original has not")
          .hint("a transform has made it");
    values.push_back(found->second);
  }
  return execute(graph, values, {.kernels = accelerated_kernels(), .check_inputs = false});
}

}  // namespace

std::string OutputDifference::to_string() const {
  if (!difference.kind.empty()) return fmt::format("output '{}' is {}", name, difference.kind);
  return fmt::format("output '{}' differs by {:.3g}, its largest element is {:.3g}", name, difference.largest(),
                     difference.expected.largest());
}

Closeness closeness_of(const std::vector<graph_transforms::TransformCall>& calls,
                       const graph_transforms::TransformRegistry& registry) {
  using graph_transforms::Numbers;
  constexpr double kRounding = 1e-4;
  constexpr double kHalf = 0.5;
  double part = 0;
  for (const graph_transforms::TransformCall& call : calls) {
    const auto* const entry = registry.find(call.name);
    const Numbers numbers = entry ? entry->numbers : Numbers::rounded;
    part = std::max(part, numbers == Numbers::same ? 0 : numbers == Numbers::rounded ? kRounding : kHalf);
  }
  return closeness::part_of_largest(part);
}

Expected<GivenInputs> read_inputs(std::string_view list) {
  GivenInputs inputs;
  for (const std::string& item : list.empty() ? std::vector<std::string>{} : split_names(list)) {
    const std::size_t equals = item.find('=');
    if (equals == 0 || equals == std::string::npos)
      return error("MO-GTT-0043", "--verify_inputs: \"{}\" is not NAME=FILE.npy", item)
          .hint("for example --verify_inputs=images=images.npy");
    MO_ASSIGN(inputs[item.substr(0, equals)], read_npy(expand_home(item.substr(equals + 1))));
  }
  return inputs;
}

Expected<std::vector<OutputDifference>> verify(const Graph& before, const Graph& after,
                                               const TransformFuncContext& context,
                                               const std::vector<std::string>& outputs, const GivenInputs& given,
                                               const Closeness& closeness) {
  if (outputs.empty())
    return error("MO-GTT-0040", "there is nothing to verify").hint("name the outputs of the model: --outputs=…");
  TransformFuncContext plain = context;
  plain.params.clear();
  MO_ASSIGN(const std::unique_ptr<Graph> original, runnable(before, plain, outputs));
  MO_ASSIGN(const std::unique_ptr<Graph> changed, runnable(after, plain, outputs));
  RandomValues random;
  GivenInputs inputs = given;
  for (const auto& [name, value] : given)
    if (const Node node = original->find_node(name); !node || !node.is<Parameter>())
      return error("MO-GTT-0043", "--verify_inputs: '{}' is not an input of the computed graph", name)
          .hint("name a Placeholder that the outputs need");
  for (const Node& parameter : original->parameters()) {
    if (inputs.contains(parameter.name())) continue;
    MO_ASSIGN(Tensor value, random.of(parameter));
    inputs.emplace(parameter.name(), std::move(value));
  }
  MO_ASSIGN(const std::vector<Tensor> a, run(*original, inputs));
  MO_ASSIGN(const std::vector<Tensor> b, run(*changed, inputs));
  std::vector<OutputDifference> differences;
  std::vector<Diagnostic> failed;
  for (std::size_t i = 0; i < a.size(); ++i) {
    MO_ASSIGN(TensorDifference difference, difference_of(b[i], a[i], closeness));
    const OutputDifference& output = differences.emplace_back(OutputDifference{outputs[i], std::move(difference)});
    if (!output.difference.close())
      failed.push_back(
          error("MO-GTT-0042", "{}", output.to_string()).hint("leave out transforms until the outputs stay the same"));
  }
  if (!failed.empty()) return Error(std::move(failed));
  return differences;
}

}  // namespace mo::tools
