#include <algorithm>

#include "core/rewrite.hpp"
#include "ops/loop.hpp"
#include "ops/tensor_iterator.hpp"
#include "transformations/control_flow/support/iterations.hpp"

namespace mo::transformations {
namespace {

/// The trip count and the condition, which a TensorIterator does not have.
constexpr std::int64_t kLoopInputs = 2;

/// Whether each iteration takes the next slice of some input, and nothing else ends the loop before the slices do.
bool counts_slices(const Node& node, const LoopParts& parts) {
  const auto count = iteration_count(node, parts);
  bool sliced = false;
  for (const ops::InputMap& map : *parts.inputs) {
    if (map.input < kLoopInputs) return false;  // its body counts, or reads the limits
    if (!map.axis) continue;
    sliced = true;
    if (slice_count(node.input_type(static_cast<std::size_t>(map.input)), map) != count) return false;
  }
  return sliced && count.value_or(0) > 0;
}

/// Takes the Result of the condition out of the body unless another map needs it.
void drop_condition(ops::TensorIterator& iterator) {
  const auto is_condition = [](const ops::OutputMap& map) { return map.output == -1; };
  const auto condition = std::find_if(iterator.output_map.begin(), iterator.output_map.end(), is_condition);
  const std::int64_t place = condition->result;
  iterator.output_map.erase(condition);
  const auto is_same = [&](const auto& map) { return map.result == place; };
  if (std::any_of(iterator.output_map.begin(), iterator.output_map.end(), is_same) ||
      std::any_of(iterator.back_edges.begin(), iterator.back_edges.end(), is_same))
    return;
  Graph& body = iterator.body.graph();
  const Node result = body.results()[static_cast<std::size_t>(place)];
  const Node source = result.input(0).node();
  body.erase(result);
  erase_if_dead(source);
  for (ops::OutputMap& map : iterator.output_map) map.result -= map.result > place ? 1 : 0;
  for (ops::BackEdge& edge : iterator.back_edges) edge.result -= edge.result > place ? 1 : 0;
}

Replacement to_tensor_iterator(const Node& node, Rewriter& rw) {
  const auto parts = loop_parts(node);
  if (!parts || !counts_slices(node, *parts))
    return declined("its iterations are not those of a sliced input, or their number is unknown");
  const ops::Loop& loop = *node.as<ops::Loop>();
  ops::TensorIterator iterator{loop.body.clone(), loop.input_map, loop.output_map, loop.back_edges};
  for (ops::InputMap& map : iterator.input_map) map.input -= kLoopInputs;
  drop_condition(iterator);
  std::vector<Value> inputs;
  for (std::size_t i = kLoopInputs; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  return rw.create_node(std::move(iterator), inputs, node.out_port_count()).out_ports();
}

}  // namespace

void register_convert_loop_to_tensor_iterator(PassRegistry& passes) {
  const Pat loop = pattern::op<ops::Loop>();
  passes.offer(rewrite("ConvertLoopToTensorIterator")
                   .described("Loop(trips, condition, …)", "TensorIterator(…)",
                              "the trip count is known, the conditions always hold, an input is sliced once for each "
                              "iteration, and the body does not count")
                   .match(loop)
                   .replace([=](const Match& m, Rewriter& rw) { return to_tensor_iterator(m.node(loop), rw); }));
}

}  // namespace mo::transformations
