#include "ops/squeeze.hpp"
#include "ops/top_k.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// TopK along the last axis -> Unsqueeze, TopK along the last but one, Squeeze.
template <OpLike T>
Replacement not_the_last_axis(const Node& node, Rewriter& rw) {
  const TensorType& data = node.input_type(0);
  const auto count = single_integer_of(node.input(1));
  if (!data.rank() || (count && (*count != 1 || data.shape.is_static())))
    return declined("k is not 1, or all sizes are known, or the rank is not");
  T op = *node.as<T>();
  if (op.axis >= 0) op.axis -= *data.rank();
  if (op.axis != -1) return declined("not along the last axis");
  op.axis = *data.rank() - 1;
  const Value axis = rw.integers({*data.rank()});
  Outputs outputs = rw.create_node(op, {rw.create(ops::Unsqueeze{}, node.input(0), axis), node.input(1)}).out_ports();
  for (std::size_t i = 0; i < 2; ++i)
    outputs[i] = node.output(i).disconnected() ? Value{} : rw.create(ops::Squeeze{}, outputs[i], axis);
  return outputs;
}

}  // namespace

void register_largest_of_unknown_sizes(PassRegistry& passes) {
  passes.add(
      avoid_fault("LargestOfUnknownSizes",
                  {.form = "TopK of one element along the last axis, of data of unknown sizes or with a computed k",
                   .symptom = "the inference takes many seconds for each row of four elements or more",
                   .first = "2022.1",
                   .last = "2022.1",
                   .replacement = "Unsqueeze, TopK along the last axis but one, Squeeze"})
          .add(lowering<ops::v1::TopK>("NotTheLastAxis1", not_the_last_axis<ops::v1::TopK>))
          .add(lowering<ops::v3::TopK>("NotTheLastAxis3", not_the_last_axis<ops::v3::TopK>)));
}

}  // namespace mo::transformations
