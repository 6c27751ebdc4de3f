#include "fuzz/harness/execution.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/execution/executor.hpp"
#include "core/tensor/visit.hpp"
#include "fuzz/harness/check.hpp"

namespace mo::fuzz {
namespace {

constexpr std::int64_t kMostElements = 1 << 16;

/// Elements have whole bytes.
bool is_numeric(ElementType type) { return bit_width(type) >= 8 && !is_small_real(type); }

/// FNV-1a: the same on every machine.
std::uint32_t hash(std::string_view text) {
  std::uint32_t value = 2166136261U;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 16777619U;
  return value;
}

std::optional<Tensor> input_for(const Node& parameter, const std::string& name) {
  const TensorType& type = parameter.output_type();
  const auto shape = type.shape.to_shape();
  if (!shape || !is_numeric(type.element_type)) return std::nullopt;
  auto tensor = Tensor::allocate(type.element_type, *shape);
  if (!tensor) return std::nullopt;
  std::uint32_t state = hash(name);
  visit_type(type.element_type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (T& value : tensor->template mutable_values<T>()) {
      state = state * 1664525U + 1013904223U;
      const int number = static_cast<int>(state >> 24U) % 17;  // 0 … 16
      if constexpr (std::is_same_v<T, bool>)
        value = number % 2 == 0;
      else if constexpr (std::is_integral_v<T>)
        value = static_cast<T>(number % 3);
      else
        value = static_cast<T>(static_cast<float>(number - 8) / 4);
    }
  });
  return *std::move(tensor);
}

bool is_small_tensor(const TensorType& type) {
  const auto count = type.shape.element_count();
  return type.shape.is_static() && count && *count <= kMostElements;
}

}  // namespace

bool is_small(const Graph& graph) {
  std::int64_t work = 0;
  for (const Node node : graph.nodes()) {
    const OpTraits& traits = node.op_type().traits;
    if (traits.stateful || traits.owns_bodies) return false;
    std::int64_t elements = 1;
    for (const OutPort& port : node.out_ports()) {
      if (!is_small_tensor(port.data().type())) return false;
      elements = std::max(elements, port.data().type().shape.element_count().value_or(1));
    }
    // As if each output element needed each element of the second input: a bound for convolutions and products of
    // matrices.
    if (node.in_port_count() > 1 && node.input(1))
      elements *= std::max<std::int64_t>(node.input_type(1).shape.element_count().value_or(1), 1);
    work += elements;
    if (work > std::int64_t{1} << 28) return false;
  }
  return true;
}

std::optional<Results> results_of(const Graph& graph, const std::function<std::string(std::string)>& renaming) {
  if (!is_small(graph)) return std::nullopt;
  std::vector<Tensor> inputs;
  for (const Node& parameter : graph.parameters()) {
    const std::string name(parameter.name());
    auto input = input_for(parameter, renaming ? renaming(name) : name);
    if (!input) return std::nullopt;
    inputs.push_back(*std::move(input));
  }
  const auto outputs = execute(graph, inputs);
  if (!outputs) {
    require_explained(outputs.error());
    return std::nullopt;
  }
  Results results;
  const std::vector<Node> sinks = graph.results();
  for (std::size_t i = 0; i < sinks.size(); ++i) {
    if (!is_numeric((*outputs)[i].element_type())) return std::nullopt;
    results.insert_or_assign(std::string(sinks[i].name()), (*outputs)[i]);
  }
  return results;
}

void require_same(const Results& wanted, const Results& found, const ClosenessByType& closeness,
                  const std::string& what) {
  require(wanted.size() == found.size(),
          fmt::format("{}: {} results instead of {}", what, found.size(), wanted.size()));
  for (const auto& [name, tensor] : wanted) {
    const auto other = found.find(name);
    require(other != found.end(), fmt::format("{}: no result '{}'", what, name));
    const auto difference = difference_of(other->second, tensor, closeness.of(tensor.element_type()));
    require(difference && difference->close(),
            fmt::format("{}: '{}': {}", what, name, difference ? difference->to_string() : "cannot be loaded"));
  }
}

}  // namespace mo::fuzz
