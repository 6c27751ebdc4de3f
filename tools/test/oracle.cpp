#include "tools/test/oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/execution/executor.hpp"
#include "core/tensor/convert.hpp"
#include "tools/test/pbtxt.hpp"

namespace mo::test {
namespace {

/// What the executor cannot compute in a graph, or keeps between two runs; empty when there is no such thing.
std::string why_not_run(const Graph& graph) {
  for (const Node& parameter : graph.parameters()) {
    const ElementType type = parameter.as<Parameter>()->element_type;
    if (type == ElementType::dynamic || type == ElementType::string) return "an input has no numbers";
  }
  for (const Node node : graph.nodes()) {
    if (node.is<Parameter>() || node.is<Result>()) continue;
    if (!node.op_type().evaluate) return fmt::format("{} cannot be computed", node.op_type().name);
    if (node.op_type().traits.stateful) return fmt::format("{} keeps a state between two runs", node.op_type().name);
  }
  return "";
}

std::string skipped(std::string why) {
  ++oracle().skipped;
  oracle().why_skipped = std::move(why);
  return "";
}

/// Which integers are tried: any from -8 to 7; indices, sizes, orders and amounts are other ones.
enum class Integers { any, zeros_and_ones, ones, places };
constexpr std::array kIntegers{Integers::any, Integers::zeros_and_ones, Integers::ones, Integers::places};

/// `random` is from -8 to 8.
double integer_of(Integers which, double random, std::size_t place, bool is_signed) {
  switch (which) {
    case Integers::any: return std::floor(is_signed ? random : random / 2 + 4);
    case Integers::zeros_and_ones: return random < 0 ? 0 : 1;
    case Integers::ones: return 1;
    case Integers::places: break;
  }
  return static_cast<double>(place % 16);
}

/// What is chosen where a Parameter leaves a choice.
struct Choice {
  std::int64_t unknown = 1;  ///< in place of each unknown dimension
  std::size_t rank = 0;      ///< in place of an unknown rank
  Integers integers = Integers::any;
};

/// A tensor for each Parameter: reals in [-8, 8), booleans, integers as `how` says. Empty when one would be too large.
std::vector<Tensor> random_inputs(const Graph& graph, const Choice& how) {
  std::vector<Tensor> inputs;
  std::uint32_t seed = 12345;
  const auto next = [&seed] { return static_cast<double>((seed = seed * 1664525U + 1013904223U) >> 8) / 16777216.0; };
  for (const Node& parameter : graph.parameters()) {
    const auto& declared = *parameter.as<Parameter>();
    Shape shape;
    if (!declared.shape.has_rank())
      shape.assign(how.rank, how.unknown);
    else
      for (const Dimension& d : declared.shape.dims())
        shape.push_back(d.is_known() ? d.value() : std::clamp(how.unknown, d.min(), d.max()));
    const auto count = element_count(shape);
    if (!count || *count > 1'000'000) return {};
    std::vector<double> values(static_cast<std::size_t>(*count));
    const ElementType type = declared.element_type;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = next() * 16 - 8;
      if (type == ElementType::boolean)
        values[i] = values[i] < 0 ? 0 : 1;
      else if (!is_real(type))
        values[i] = integer_of(how.integers, values[i], i, is_signed(type));
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
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Tensor& x, const Tensor& y) { return x.element_type() == y.element_type(); });
}

}  // namespace

OracleCount& oracle() {
  static OracleCount count;
  return count;
}

std::string difference(const Tensor& got, const Tensor& want, const Closeness& closeness) {
  if (const auto same = same_bytes(got, want); same && *same) return "";  // no numbers to convert
  const auto found = difference_of(got, want, closeness);
  if (!found) return text_of_error(found.error());
  return found->close() ? "" : found->to_string() + "\n";
}

std::string compare_numbers(const Graph& before, const Graph& after) {
  for (const Graph* graph : {&before, &after})
    if (std::string why = why_not_run(*graph); !why.empty()) return skipped(std::move(why));
  if (before.parameters().size() != after.parameters().size())
    return skipped("the passes change how many inputs there are");
  const std::vector<Node> parameters = before.parameters();
  const bool is_static = std::all_of(parameters.begin(), parameters.end(), [](const Node& parameter) {
    return parameter.as<Parameter>()->shape.is_static();
  });
  const bool has_ranks = std::all_of(parameters.begin(), parameters.end(),
                                     [](const Node& parameter) { return parameter.as<Parameter>()->shape.has_rank(); });
  std::vector<Choice> choices;
  for (const Integers integers : kIntegers)
    for (const std::size_t rank : has_ranks ? std::vector<std::size_t>{0} : std::vector<std::size_t>{2, 3, 4, 1})
      for (const std::int64_t unknown :
           is_static ? std::vector<std::int64_t>{1} : std::vector<std::int64_t>{4, 2, 3, 1, 8, 16})
        choices.push_back({.unknown = unknown, .rank = rank, .integers = integers});
  bool compared = false;
  std::string why = "the passes change the shapes of inputs";
  for (const Choice& choice : choices) {
    if (compared && choice.integers != Integers::any) break;  // the other ones are for graphs that do not accept these
    const std::vector<Tensor> inputs = random_inputs(before, choice);
    if (inputs.size() != before.parameters().size()) {
      why = "the inputs are too large";
      continue;
    }
    const auto a = execute(*before.clone(), inputs);
    if (!a) {
      why = text_of_error(a.error());
      continue;
    }
    if (!accepts(after, inputs)) continue;  // IR v10: the layout step changes the inputs themselves
    const auto given = as_declared(after, inputs);
    const auto b = given ? execute(*after.clone(), *given) : Expected<std::vector<Tensor>>(given.error());
    if (!b) return "after the passes: " + text_of_error(b.error());
    compared = true;
    const bool retyped = !same_types(inputs, *given);
    for (std::size_t i = 0; i < a->size() && i < b->size(); ++i) {
      const auto got = retyped ? convert((*b)[i], (*a)[i].element_type()) : Expected<Tensor>((*b)[i]);
      if (!got) return "after the passes: " + text_of_error(got.error());
      constexpr const ClosenessByType& kFew = closeness::kReorderedFew;
      const Closeness& closeness = retyped ? kFew.half : kFew.of(got->element_type());
      if (const std::string d = difference(*got, (*a)[i], closeness); !d.empty())
        return "the passes change the numbers: " + d;
    }
  }
  if (!compared) return skipped(std::move(why));
  ++oracle().compared;
  return "";
}

}  // namespace mo::test
