#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"

namespace mo::back {
namespace {

/// reduce(x, axes) of all dimensions -> the same with keep_dims, whose one element becomes a scalar afterwards.
template <class T>
Replacement reshaped_to_scalar(const Node& node, Rewriter& rw) {
  const auto rank = node.input_type(0).rank();
  if (node.as<T>()->keep_dims || node.output_type().rank() != 0) return declined("the result is not known to be a scalar");
  if (!rank || *rank == 0) return declined("the data is a scalar, or of unknown rank");
  const Value kept = rw.create(T{.keep_dims = true}, node.input(0), node.input(1));
  return rw.create(ops::Reshape{}, kept, rw.integers({}));
}

}  // namespace

void register_scalar_reductions(PassRegistry& passes) {
  passes.add(
      avoid_fault("ScalarReductions", {.form = "reduction without keep_dims whose result is a scalar",
                                       .symptom = "readers take the result for a tensor of four dimensions: shapes change, or nothing is computed",
                                       .first = "2021.4",
                                       .last = "2021.4",
                                       .replacement = "the reduction with keep_dims, Reshape to a scalar"})
          .add(lowering<ops::ReduceSum>("ScalarSum", reshaped_to_scalar<ops::ReduceSum>))
          .add(lowering<ops::ReduceMean>("ScalarMean", reshaped_to_scalar<ops::ReduceMean>))
          .add(lowering<ops::ReduceMax>("ScalarMax", reshaped_to_scalar<ops::ReduceMax>))
          .add(lowering<ops::ReduceMin>("ScalarMin", reshaped_to_scalar<ops::ReduceMin>))
          .add(lowering<ops::ReduceProd>("ScalarProd", reshaped_to_scalar<ops::ReduceProd>))
          .add(lowering<ops::ReduceL1>("ScalarL1", reshaped_to_scalar<ops::ReduceL1>))
          .add(lowering<ops::ReduceL2>("ScalarL2", reshaped_to_scalar<ops::ReduceL2>))
          .add(lowering<ops::ReduceLogicalAnd>("ScalarAnd", reshaped_to_scalar<ops::ReduceLogicalAnd>))
          .add(lowering<ops::ReduceLogicalOr>("ScalarOr", reshaped_to_scalar<ops::ReduceLogicalOr>)));
}

}  // namespace mo::back
