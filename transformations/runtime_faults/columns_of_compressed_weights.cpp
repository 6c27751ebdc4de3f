#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/build/quantized.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/copied.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Numbers of 4 or 8 bits as reals, maybe with a zero point subtracted.
bool is_unpacked(const Value& value) {
  const Node node = value.node();
  return node.is<ops::Subtract>() ? is_unpacked(node.input(0)) : static_cast<bool>(build::unpacked_constant(node));
}

/// Compressed weights: what is unpacked, times a scale, maybe in another type and shape.
bool are_compressed_weights(Value value) {
  while (value.node().is<ops::Reshape>() || value.node().is<ops::Convert>()) value = value.node().input(0);
  const Node node = value.node();
  return node.is<ops::Multiply>() && (is_unpacked(node.input(0)) || is_unpacked(node.input(1)));
}

/// Gather(weights, places, axis) -> Gather(Maximum(weights, weights), places, axis)
template <OpLike T>
Replacement of_copied_weights(const Node& node, Rewriter& rw) {
  if (!are_compressed_weights(node.input(0))) return declined("not of compressed weights");
  const auto axis = single_integer_of(node.input(2));
  const auto rank = node.input_type(0).rank();
  if (axis && (*axis == 0 || (rank && *axis + static_cast<std::int64_t>(*rank) == 0)))
    return declined("rows are taken");
  return rw.create(*node.as<T>(), copied(rw, node.input(0)), node.input(1), node.input(2));
}

}  // namespace

void register_columns_of_compressed_weights(PassRegistry& passes) {
  passes.add(avoid_fault("ColumnsOfCompressedWeights",
                         {.form = "Gather along another axis than the first one of compressed weights in blocks",
                          .symptom = "the result has another shape: rows are taken",
                          .first = "2024.6",
                          .last = "latest",
                          .replacement = "Maximum(x, x) as a copy of the weights"})
                 .add(lowering<ops::v1::Gather>("OfCopiedWeights1", of_copied_weights<ops::v1::Gather>))
                 .add(lowering<ops::v7::Gather>("OfCopiedWeights7", of_copied_weights<ops::v7::Gather>))
                 .add(lowering<ops::v8::Gather>("OfCopiedWeights8", of_copied_weights<ops::v8::Gather>)));
}

}  // namespace mo::transformations
