#include <algorithm>

#include "extensions/back/lowering.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/interpolate.hpp"
#include "ops/loop.hpp"
#include "ops/range.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/tensor_iterator.hpp"
#include "ops/transpose.hpp"

namespace mo::back {
namespace {

/// Axes of an Interpolate that count from the back -> the same from the front: the class of 2022.1 takes them for unsigned.
Replacement interpolate_axes(const Node& node, Rewriter& rw) {
  if (node.in_port_count() < 4 || !node.input(3)) return Replacement::declined();
  const Value axes = axes_from_the_front(rw, node.input(3), node.input(0));
  if (axes == node.input(3)) return Replacement::declined();
  return rw.create(*node.as<ops::v4::Interpolate>(), node.input(0), node.input(1), node.input(2), axes);
}

/// Transpose(x, []) of an unknown rank -> Transpose(x, Range(rank - 1, -1, -1)): runtimes ask for the rank to reverse the dimensions.
Replacement reversal(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value order = node.input(1);
  if (!order || x.type().shape.has_rank() || order.type().shape.element_count() != 0) return Replacement::declined();
  const Value lengths = rw.create(ops::ShapeOf{}, x);
  const Value rank = rw.create(ops::Reshape{.special_zero = false}, rw.create(ops::ShapeOf{}, lengths), rw.integers({}));
  const Value one_back = rw.scalar<std::int64_t>(-1);
  const Value last = rw.create(ops::Add{}, rank, one_back);
  return rw.create(ops::Transpose{}, x, rw.create(ops::v4::Range{.output_type = ElementType::i64}, last, one_back, one_back));
}

/// Port maps name axes from the front. True when one of them has changed.
template <class Op>
bool count_from_the_front(const Node& node, Op& op) {
  bool changed = false;
  const auto put = [&](std::optional<std::int64_t>& axis, const TensorType& type) {
    if (!axis || *axis >= 0 || !type.rank()) return;
    axis = normalize_axis(*axis, *type.rank()).value_or(*axis);
    changed = changed || *axis >= 0;
  };
  for (ops::InputMap& map : op.input_map)
    if (map.input >= 0) put(map.axis, node.input_type(static_cast<std::size_t>(map.input)));
  const std::vector<Node> results = op.body.graph().results();
  for (ops::OutputMap& map : op.output_map) put(map.axis, results[static_cast<std::size_t>(map.result)].input_type(0));
  return changed;
}

Expected<bool> port_maps(Graph& graph) {
  bool changed = false;
  for (const Node node : graph.nodes()) {
    if (auto* iterator = node.as<ops::TensorIterator>()) changed = count_from_the_front(node, *iterator) || changed;
    if (auto* loop = node.as<ops::Loop>()) changed = count_from_the_front(node, *loop) || changed;
  }
  return changed;
}

/// The reader of 2021.4 finds the Parameters of a body from its Results: a sliced one that only counts the steps becomes an output.
Expected<bool> counters(Graph& graph) {
  bool changed = false;
  for (const Node node : graph.nodes()) {
    auto* const iterator = node.as<ops::TensorIterator>();
    if (!iterator) continue;
    Graph& body = iterator->body.graph();
    const std::vector<Node> parameters = body.parameters();
    for (const ops::InputMap& map : iterator->input_map) {
      const OutPort counter = parameters[static_cast<std::size_t>(map.parameter)].output();
      if (!map.axis || !counter.disconnected()) continue;
      const auto output = static_cast<std::int64_t>(node.out_port_count());
      iterator->output_map.push_back({.output = output, .result = static_cast<std::int64_t>(body.results().size())});
      body.create_result(counter);
      node.add_output_port(node.out_port_count());
      node.out_port(static_cast<std::size_t>(output)).data().set_type(counter.type());
      changed = true;
    }
  }
  return changed;
}

}  // namespace

/// Axes as the runtimes' classes want them, where an op's definition says more: counted from the front, and of a known number.
void register_canonical_axes(PassRegistry& passes) {
  passes.add(graph_rewrite("CanonicalAxes")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .run_before({"CanonicalInputs"})
                 .add(lowering<ops::v4::Interpolate>("Interpolate", interpolate_axes))
                 .add(lowering<ops::Transpose>("Transpose", reversal)));
  passes.add(graph_pass("CanonicalPortMaps").phase(Phase::back).run_after({"CanonicalAxes"}).run([](Graph& graph, PassContext&) {
    return port_maps(graph);
  }));
  passes.add(graph_pass("CountingParameters")
                 .phase(Phase::back)
                 .run_after({"CanonicalPortMaps", "NestedIterators"})
                 .when(is_for_v10)
                 .run([](Graph& graph, PassContext&) { return counters(graph); }));
}

}  // namespace mo::back
