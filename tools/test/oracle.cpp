#include "tools/test/oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/execution/executor.hpp"
#include "core/tensor/convert.hpp"
#include "tools/test/pbtxt.hpp"

namespace mo::test {
namespace {

bool can_run(const Graph& graph) {
  for (const Node& parameter : graph.parameters()) {
    const auto& declared = *parameter.as<Parameter>();
    if (declared.element_type == ElementType::dynamic || declared.element_type == ElementType::string) return false;
  }
  for (const Node node : graph.nodes())
    if (!node.is<Parameter>() && !node.is<Result>() && (!node.op_type().evaluate || node.op_type().traits.stateful)) return false;
  return true;
}

/// A tensor for each Parameter, with `unknown` in place of each unknown dimension and `rank` of them in place of an unknown rank: reals in [-8, 8), integers in [-8, 8) or [0, 8), booleans. Empty
/// when one would be too large.
std::vector<Tensor> random_inputs(const Graph& graph, std::int64_t unknown, std::size_t rank) {
  std::vector<Tensor> inputs;
  std::uint32_t seed = 12345;
  const auto next = [&seed] { return static_cast<double>((seed = seed * 1664525U + 1013904223U) >> 8) / 16777216.0; };
  for (const Node& parameter : graph.parameters()) {
    const auto& declared = *parameter.as<Parameter>();
    Shape shape;
    if (!declared.shape.has_rank())
      shape.assign(rank, unknown);
    else
      for (const Dimension& d : declared.shape.dims()) shape.push_back(d.is_known() ? d.value() : std::clamp(unknown, d.min(), d.max()));
    const auto count = element_count(shape);
    if (!count || *count > 1'000'000) return {};
    std::vector<double> values(static_cast<std::size_t>(*count));
    const ElementType type = declared.element_type;
    for (double& v : values) {
      v = next() * 16 - 8;
      if (type == ElementType::boolean)
        v = v < 0 ? 0 : 1;
      else if (!is_real(type))
        v = std::floor(is_signed(type) ? v : v / 2 + 4);
    }
    auto tensor = from_reals(type, shape, values);
    if (!tensor) return {};
    inputs.push_back(*std::move(tensor));
  }
  return inputs;
}

bool accepts(const Graph& graph, const std::vector<Tensor>& inputs) {
  const std::vector<Node> parameters = graph.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!parameters[i].as<Parameter>()->shape.compatible(PartialShape(inputs[i].shape()))) return false;
  return true;
}

/// The inputs in the element types that the graph declares: some passes change these, and say so in their goldens.
Expected<std::vector<Tensor>> as_declared(const Graph& graph, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> made;
  const std::vector<Node> parameters = graph.parameters();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    MO_ASSIGN(Tensor input, convert(inputs[i], parameters[i].as<Parameter>()->element_type));
    made.push_back(std::move(input));
  }
  return made;
}

bool same_types(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Tensor& x, const Tensor& y) { return x.element_type() == y.element_type(); });
}

}  // namespace

OracleCount& oracle() {
  static OracleCount count;
  return count;
}

std::string difference(const Tensor& got, const Tensor& want, const tools::Tolerance& tolerance) {
  const auto found = tools::tensors_differ(got, want, tolerance);
  if (!found) return text_of_error(found.error());
  return *found ? **found + "\n" : "";
}

std::string compare_numbers(const Graph& before, const Graph& after) {
  if (!can_run(before) || !can_run(after) || before.parameters().size() != after.parameters().size()) return ++oracle().skipped, "";
  const std::vector<Node> parameters = before.parameters();
  const bool is_static =
      std::all_of(parameters.begin(), parameters.end(), [](const Node& parameter) { return parameter.as<Parameter>()->shape.is_static(); });
  const bool has_ranks =
      std::all_of(parameters.begin(), parameters.end(), [](const Node& parameter) { return parameter.as<Parameter>()->shape.has_rank(); });
  std::vector<std::pair<std::int64_t, std::size_t>> lengths_and_ranks;
  for (const std::size_t rank : has_ranks ? std::vector<std::size_t>{0} : std::vector<std::size_t>{2, 3, 4, 1})
    for (const std::int64_t unknown : is_static ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{4, 2, 3, 1, 8, 16})
      lengths_and_ranks.emplace_back(unknown, rank);
  bool compared = false;
  for (const auto& [unknown, rank] : lengths_and_ranks) {
    const std::vector<Tensor> inputs = random_inputs(before, unknown, rank);
    if (inputs.size() != before.parameters().size()) continue;
    const auto a = execute(*before.clone(), inputs);
    if (!a) continue;
    if (!accepts(after, inputs)) continue;  // IR v10: the layout step changes the inputs themselves
    const auto given = as_declared(after, inputs);
    const auto b = given ? execute(*after.clone(), *given) : Expected<std::vector<Tensor>>(given.error());
    if (!b) return "after the passes: " + text_of_error(b.error());
    compared = true;
    const bool retyped = !same_types(inputs, *given);
    constexpr tools::Tolerance kSingle{.relative = 2e-5, .absolute = 2e-6};
    constexpr tools::Tolerance kHalf{.relative = 5e-3, .absolute = 5e-3};  // what f16 leaves of numbers
    for (std::size_t i = 0; i < a->size() && i < b->size(); ++i) {
      const auto got = retyped ? convert((*b)[i], (*a)[i].element_type()) : Expected<Tensor>((*b)[i]);
      if (!got) return "after the passes: " + text_of_error(got.error());
      const bool is_half = retyped || (is_real(got->element_type()) && bit_width(got->element_type()) <= 16);
      if (const std::string d = difference(*got, (*a)[i], is_half ? kHalf : kSingle); !d.empty()) return "the passes change the numbers: " + d;
    }
  }
  ++(compared ? oracle().compared : oracle().skipped);
  return "";
}

}  // namespace mo::test
