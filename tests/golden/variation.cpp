#include "tests/golden/variation.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"
#include "ops/convert.hpp"
#include "ops/reshape.hpp"

namespace mo::test {
namespace {

/// The nodes that are there before any is made.
std::vector<Node> nodes_of(Graph& graph) {
  std::vector<Node> nodes;
  for (const Node node : graph.nodes()) nodes.push_back(node);
  return nodes;
}

void set_target(Graph& graph, const Node& reshape, const std::vector<std::int64_t>& sizes) {
  (void)reshape.in_port(1).connect(graph.create_constant(Tensor::vector(sizes)).output());
  reshape.as<ops::Reshape>()->special_zero = false;
}

/// Reshape to [0, -1] -> to the sizes themselves, which models of fixed sizes have.
bool write_all_sizes(Graph& graph) {
  bool varied = false;
  for (const Node& node : nodes_of(graph)) {
    const auto target = node.is<ops::Reshape>() ? constant_integers_of(node.input(1)) : std::nullopt;
    const auto sizes = target ? node.output_type().shape.to_shape() : std::nullopt;
    if (!sizes || *target == *sizes) continue;
    set_target(graph, node, *sizes);
    varied = true;
  }
  return varied;
}

/// Reshape to [2, 3] -> to [2, -1].
bool leave_last_size_open(Graph& graph) {
  bool varied = false;
  for (const Node& node : nodes_of(graph)) {
    auto target = node.is<ops::Reshape>() ? constant_integers_of(node.input(1)) : std::nullopt;
    if (!target || target->empty() ||
        std::any_of(target->begin(), target->end(), [](std::int64_t size) { return size <= 0; }))
      continue;
    target->back() = -1;
    set_target(graph, node, *target);
    varied = true;
  }
  return varied;
}

/// The first dimension of inputs of two and more dimensions is unknown.
bool forget_batch(Graph& graph) {
  bool varied = false;
  for (const Node& node : graph.parameters()) {
    PartialShape& shape = node.as<Parameter>()->shape;
    if (!shape.has_rank() || shape.size() < 2 || !shape[0].is_known()) continue;
    shape.dims()[0] = Dimension();
    varied = true;
  }
  return varied;
}

bool forget_rank(Graph& graph) {
  bool varied = false;
  for (const Node& node : graph.parameters()) {
    PartialShape& shape = node.as<Parameter>()->shape;
    varied = varied || shape.has_rank();
    shape = PartialShape();
  }
  return varied;
}

/// Real constants are stored as f16, and a Convert follows: --compress_to_fp16. Only those that f16 holds.
bool compress_constants(Graph& graph) {
  bool varied = false;
  for (const Node& node : nodes_of(graph)) {
    const auto* const constant = node.as<Const>();
    if (!constant || constant->value.element_type() != ElementType::f32 || constant->value.element_count() == 0)
      continue;
    const auto half = convert(constant->value, ElementType::f16);
    const auto numbers = to_reals(constant->value);
    const auto halves = half ? to_reals(*half) : Expected<std::vector<double>>(std::vector<double>());
    if (!numbers || !halves || *numbers != *halves) continue;
    const std::vector<InPort> readers = node.output().get_destinations();
    const Value stored = graph.create_constant(*half).output();
    const Value real = graph.create_node(ops::Convert{.destination_type = ElementType::f32}, {stored}).output();
    for (const InPort& reader : readers) (void)reader.connect(real);
    varied = true;
  }
  return varied;
}

/// a + b -> b + a.
bool swap_operands(Graph& graph) {
  bool varied = false;
  for (const Node& node : nodes_of(graph)) {
    if (!node.op_type().traits.commutative || node.in_port_count() != 2 || node.input(0) == node.input(1)) continue;
    const Value first = node.input(0);
    const Value second = node.input(1);
    (void)node.in_port(0).connect(second);
    (void)node.in_port(1).connect(first);
    varied = true;
  }
  return varied;
}

constexpr std::array<Variation, 6> kVariations = {
    Variation{"sizes", write_all_sizes},        Variation{"minus-one", leave_last_size_open},
    Variation{"batch", forget_batch},           Variation{"rank", forget_rank},
    Variation{"converted", compress_constants}, Variation{"swapped", swap_operands}};

}  // namespace

std::span<const Variation> variations() { return kVariations; }

}  // namespace mo::test
