#include <algorithm>

#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/reduce.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"

namespace mo::back {
namespace {

/// Dimensions change places, but the elements do not: all others than those of size 1 keep their order.
bool moves_ones_only(const Node& transpose) {
  const PartialShape& shape = transpose.input_type(0).shape;
  auto order = integers_of(transpose.input(1));
  if (!order) return false;
  if (order->empty())  // all in reverse
    for (std::size_t axis = shape.size(); axis-- > 0;) order->push_back(static_cast<std::int64_t>(axis));
  if (std::is_sorted(order->begin(), order->end())) return false;
  std::erase_if(*order, [&](std::int64_t axis) { return shape[static_cast<std::size_t>(axis)] == Dimension(1); });
  return std::is_sorted(order->begin(), order->end());
}

/// reduce(x, axes) -> squeeze(reduce(x, axes) with keep_dims, axes), where a Transpose reads it that is as good as a Reshape.
template <class T>
Replacement squeezed(const Node& node, Rewriter& rw) {
  const auto axes = integers_of(node.input(1));
  if (node.as<T>()->keep_dims || !node.output_type().rank() || !axes) return declined("with keep_dims, or of unknown rank or axes");
  const std::vector<InPort> readers = node.output().get_destinations();
  const auto is_moved = [](const InPort& reader) {
    return reader.index() == 0 && reader.node().is<ops::Transpose>() && moves_ones_only(reader.node());
  };
  if (std::none_of(readers.begin(), readers.end(), is_moved)) return declined("no Transpose that only moves dimensions of size 1 reads it");
  return rw.create(ops::Squeeze{}, rw.create(T{.keep_dims = true}, node.input(0), node.input(1)), rw.integers(*axes));
}

}  // namespace

void register_transpose_of_reduced_tensor(PassRegistry& passes) {
  passes.add(avoid_fault("TransposeOfReducedTensor", {.form = "Transpose that only moves dimensions of size 1, of a reduction without keep_dims",
                                                      .symptom = "the result has the shape of the reduction",
                                                      .first = "2024.6",
                                                      .last = "latest",
                                                      .replacement = "the reduction with keep_dims, Squeeze, Transpose"})
                 .add(lowering<ops::ReduceSum>("SqueezedSum", squeezed<ops::ReduceSum>))
                 .add(lowering<ops::ReduceMean>("SqueezedMean", squeezed<ops::ReduceMean>))
                 .add(lowering<ops::ReduceMax>("SqueezedMax", squeezed<ops::ReduceMax>))
                 .add(lowering<ops::ReduceMin>("SqueezedMin", squeezed<ops::ReduceMin>))
                 .add(lowering<ops::ReduceProd>("SqueezedProd", squeezed<ops::ReduceProd>))
                 .add(lowering<ops::ReduceL1>("SqueezedL1", squeezed<ops::ReduceL1>))
                 .add(lowering<ops::ReduceL2>("SqueezedL2", squeezed<ops::ReduceL2>))
                 .add(lowering<ops::ReduceLogicalAnd>("SqueezedAnd", squeezed<ops::ReduceLogicalAnd>))
                 .add(lowering<ops::ReduceLogicalOr>("SqueezedOr", squeezed<ops::ReduceLogicalOr>)));
}

}  // namespace mo::back
