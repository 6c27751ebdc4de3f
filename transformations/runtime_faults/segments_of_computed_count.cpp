#include "ops/bucketize.hpp"
#include "ops/build/tensors.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/embedding_bag.hpp"
#include "ops/range.hpp"
#include "ops/strided_slice.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// EmbeddingSegmentsSum(table, indices, ids, n) -> EmbeddingBagOffsetsSum(table, indices, offsets): bag i begins at the
/// number of ids below i.
///
/// A bag must not begin after the last index, as an empty one at the end would: another index is added, to an
/// additional bag, which is cut off. Ids from n on, which no segment has, are in that bag, too.
Replacement bags_of_segments(const Node& node, Rewriter& rw) {
  const Value indices = node.input(1);
  const Value ids = node.input(2);
  const Value count = node.input(3);
  if (integers_of(count)) return declined("the number of segments is known");
  const ElementType type = indices.type().element_type;
  const auto of_id = [&](std::int64_t number) { return rw.scalar_like(ids, static_cast<double>(number)); };
  const Value stop = rw.create(ops::Add{}, build::as_type_of(rw, count, ids), of_id(1));
  const Value bags = rw.create(ops::v4::Range{.output_type = ids.type().element_type}, of_id(0), stop, of_id(1));
  const Value offsets = rw.create(ops::Bucketize{.output_type = type, .with_right_bound = true}, bags, ids);
  const auto with_another = [&](const Value& x) {
    const Value zero = rw.fold(ops::Convert{.destination_type = x.type().element_type}, rw.integers({0}));
    return rw.fold(ops::Concat{.axis = 0}, x, zero);
  };
  std::vector<Value> inputs{node.input(0), with_another(indices), offsets};
  if (node.in_port_count() > 4) inputs.push_back(node.input(4));
  if (node.in_port_count() > 5) inputs.push_back(with_another(node.input(5)));
  const Value sums = rw.create(ops::EmbeddingBagOffsetsSum{}, inputs);
  return rw.create(ops::StridedSlice{.begin_mask = {0}, .end_mask = {0}}, sums, rw.integers({0}), rw.integers({-1}),
                   rw.integers({1}));
}

}  // namespace

void register_segments_of_computed_count(PassRegistry& passes) {
  passes.add(
      avoid_fault("SegmentsOfComputedCount",
                  {.form = "EmbeddingSegmentsSum with a computed number of segments",
                   .symptom = "an error during inference: Cannot get dims for non static shape",
                   .first = "2022.1",
                   .last = "2022.1",
                   .replacement = "EmbeddingBagOffsetsSum, the offsets of which are a Bucketize of 0 … n by the ids"})
          .add(lowering<ops::EmbeddingSegmentsSum>("BagsOfSegments", bags_of_segments)));
}

}  // namespace mo::transformations
