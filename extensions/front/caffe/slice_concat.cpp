#include "extensions/front/caffe/layer_inputs.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/split.hpp"

namespace mo::front::caffe {
namespace {

Outputs outputs_of(const Node& node) {
  Outputs outputs;
  for (const OutPort& port : node.out_ports()) outputs.push_back(port);
  return outputs;
}

/// Slice -> VariadicSplit at the points; Split into equal parts without points
Replacement slice(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Integers points = list_of(node, "points");
  const std::size_t tops = node.out_port_count();
  if (tops == 1) return rw.create(ops::Identity{}, x);
  const Value axis = rw.scalar(integer_of(node, "axis", 1));
  if (points.empty()) return outputs_of(rw.create_node(ops::Split{.num_splits = static_cast<std::int64_t>(tops)}, {x, axis}, tops));
  Integers lengths;
  std::int64_t last = 0;
  for (const std::int64_t point : points) lengths.push_back(point - std::exchange(last, point));
  lengths.push_back(-1);
  return outputs_of(rw.create_node(ops::VariadicSplit{}, {x, axis, rw.integers(lengths)}, tops));
}

}  // namespace

void register_slice_concat(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffeSlice").replace_op(slice));
  // All tops are the bottom.
  passes.add(front_replacement_op("CaffeSplit").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    return Outputs(node.out_port_count(), rw.create(ops::Identity{}, node.input(0)));
  }));
}

}  // namespace mo::front::caffe
