#include <algorithm>
#include <numeric>

#include "core/graph/values.hpp"
#include "ops/squeeze.hpp"
#include "ops/top_k.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// TopK along the channels of [N, C, 1, 1] -> Unsqueeze(TopK(Squeeze(x))) of a matrix.
template <OpLike T>
Replacement of_matrix(const Node& node, Rewriter& rw) {
  const PartialShape& shape = node.input_type(0).shape;
  if (!shape.has_rank() || shape.size() < 3) return declined("no spatial dimensions");
  T op = *node.as<T>();
  if (normalize_axis(op.axis, static_cast<std::int64_t>(shape.size())) != 1) return declined("not along the channels");
  if (!std::all_of(shape.begin() + 2, shape.end(), [](const Dimension& size) { return size == Dimension(1); }))
    return declined("there may be more than one pixel");
  op.axis = 1;
  std::vector<std::int64_t> spatial(shape.size() - 2);
  std::iota(spatial.begin(), spatial.end(), 2);
  const Value axes = rw.integers(spatial);
  Outputs outputs = rw.create_node(op, {rw.create(ops::Squeeze{}, node.input(0), axes), node.input(1)}).out_ports();
  for (std::size_t i = 0; i < 2; ++i)
    outputs[i] = node.output(i).disconnected() ? Value{} : rw.create(ops::Unsqueeze{}, outputs[i], axes);
  return outputs;
}

}  // namespace

void register_top_k_of_one_pixel(PassRegistry& passes) {
  passes.add(avoid_fault("TopKOfOnePixel",
                         {.form = "TopK along the channels of one pixel, for example of a convolution of one channel",
                          .symptom = "what was in memory, where the channels are stored last",
                          .first = "2022.1",
                          .last = "2022.1",
                          .replacement = "Squeeze, TopK, Unsqueeze"})
                 .run_before({"LargestOfUnknownSizes"})  // a matrix may have its form
                 .add(lowering<ops::v1::TopK>("OfMatrix1", of_matrix<ops::v1::TopK>))
                 .add(lowering<ops::v3::TopK>("OfMatrix3", of_matrix<ops::v3::TopK>)));
}

}  // namespace mo::transformations
