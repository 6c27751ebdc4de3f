#include "ops/batch_to_space.hpp"
#include "ops/build/tensors.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/space_to_batch.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/computed_values.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

using Places = std::vector<std::int64_t>;

/// The CPU plugin has kernels for 4 and 5 dimensions.
constexpr std::int64_t kLeastOfKernel = 4;
constexpr std::int64_t kMostOfKernel = 5;
constexpr std::int64_t kMostDimensions = 32;

/// Vectors of as many numbers as the data has dimensions, i64. The batch, which is the first dimension, has no blocks.
struct BlockLists {
  std::int64_t rank = 0;
  Value blocks;
  Value begins;
  Value ends;
};

BlockLists lists_of(Rewriter& rw, const Node& node, std::int64_t rank) {
  BlockLists lists{.rank = rank};
  std::size_t port = 1;
  for (Value* list : {&lists.blocks, &lists.begins, &lists.ends}) {
    const Value given = node.input(port++);
    *list = build::as_type(rw, given, ElementType::i64);
    if (!given.type().shape.is_static())
      *list = rw.create(ops::Reshape{.special_zero = false}, *list, rw.integers({lists.rank}));
  }
  return lists;
}

Value elements(Rewriter& rw, const Value& vector, const Places& places) {
  return rw.fold(ops::v1::Gather{}, vector, rw.integers(places), rw.scalar<std::int64_t>(0));
}

/// All elements but the first, of a vector of `count`.
Value without_first(Rewriter& rw, const Value& vector, std::int64_t count) {
  Places places;
  for (std::int64_t i = 1; i < count; ++i) places.push_back(i);
  return elements(rw, vector, places);
}

Value joined(Rewriter& rw, const Value& a, const Value& b) { return rw.fold(ops::Concat{.axis = 0}, a, b); }

/// How many parts of the batch there are, [1].
Value count_of(Rewriter& rw, const Value& blocks) {
  return rw.fold(ops::ReduceProd{.keep_dims = true}, blocks, rw.integers({0}));
}

Value shaped_as(Rewriter& rw, const Value& x, const Value& shape) {
  return rw.create(ops::Reshape{.special_zero = false}, x, shape);
}

/// Pad; [N, D1, …] as [N, D1 / b1, b1, …]; the blocks in front: [b1, …, N, D1 / b1, …]; those and the batch are one
/// dimension then.
Value space_to_batch(Rewriter& rw, const Value& x, const BlockLists& lists) {
  const std::int64_t n = lists.rank;
  const Value padded = rw.create(ops::v1::Pad{}, x, lists.begins, lists.ends, build::number_like(rw, x, 0));
  const Value sizes = rw.create(ops::Divide{}, build::shape_of(rw, padded), lists.blocks);
  // The numbers of all dimensions, then all blocks; taken by turns. The batch has no block.
  Places by_turns = {0};
  Places order;
  for (std::int64_t i = 1; i < n; ++i) {
    by_turns.insert(by_turns.end(), {i, n + i});
    order.push_back(2 * i);
  }
  order.push_back(0);
  for (std::int64_t i = 1; i < n; ++i) order.push_back(2 * i - 1);
  const Value apart = shaped_as(rw, padded, elements(rw, joined(rw, sizes, lists.blocks), by_turns));
  const Value moved = rw.create(ops::Transpose{}, apart, rw.integers(order));
  const Value batch = rw.create(ops::Multiply{}, elements(rw, sizes, {0}), count_of(rw, lists.blocks));
  return shaped_as(rw, moved, joined(rw, batch, without_first(rw, sizes, n)));
}

/// [b1 * … * N, D1, …] as [b1, …, N, D1, …]; each block after its dimension: [N, D1, b1, …]; those are one dimension
/// then; StridedSlice.
Value batch_to_space(Rewriter& rw, const Value& x, const BlockLists& lists) {
  const std::int64_t n = lists.rank;
  const Value shape = build::shape_of(rw, x);
  const Value batch = rw.create(ops::Divide{}, elements(rw, shape, {0}), count_of(rw, lists.blocks));
  const Value sizes = joined(rw, batch, without_first(rw, shape, n));
  const Value apart = shaped_as(rw, x, joined(rw, without_first(rw, lists.blocks, n), sizes));
  Places order = {n - 1};
  for (std::int64_t i = 1; i < n; ++i) order.insert(order.end(), {n - 1 + i, i - 1});
  const Value moved = rw.create(ops::Transpose{}, apart, rw.integers(order));
  const Value whole = rw.create(ops::Multiply{}, sizes, lists.blocks);
  const Value end = rw.create(ops::Subtract{}, whole, lists.ends);
  const Places no_mask(static_cast<std::size_t>(n), 0);
  return rw.create(ops::StridedSlice{.begin_mask = no_mask, .end_mask = no_mask}, shaped_as(rw, moved, whole),
                   lists.begins, end, rw.integers(Places(static_cast<std::size_t>(n), 1)));
}

template <Value (*written_out)(Rewriter&, const Value&, const BlockLists&)>
Replacement where_not_computed(const Node& node, Rewriter& rw) {
  const auto rank = node.output_type().shape.rank();
  if (!rank || *rank < 2 || *rank > kMostDimensions) return declined("the rank is unknown");
  const bool are_computed = is_computed(node.input(1)) || is_computed(node.input(2)) || is_computed(node.input(3));
  const bool has_kernel = *rank >= kLeastOfKernel && *rank <= kMostOfKernel;
  if (!are_computed && (has_kernel || node.input_type(0).shape.is_static())) return declined("the runtime computes it");
  return written_out(rw, node.input(0), lists_of(rw, node, *rank));
}

}  // namespace

void register_blocks_of_unknown_sizes(PassRegistry& passes) {
  passes.add(avoid_fault("BlocksOfUnknownSizes",
                         {.form = "SpaceToBatch or BatchToSpace with a computed list, or of unknown sizes and another "
                                  "number of dimensions than 4 or 5",
                          .symptom = "not compiled, or an error during inference",
                          .first = "2022.1",
                          .last = "2022.3",
                          .replacement = "Pad, Reshape, Transpose, Reshape; Reshape, Transpose, Reshape, StridedSlice"})
                 .add(lowering<ops::SpaceToBatch>("SpaceToBatchOfUnknownSizes", where_not_computed<space_to_batch>))
                 .add(lowering<ops::BatchToSpace>("BatchToSpaceOfUnknownSizes", where_not_computed<batch_to_space>)));
}

}  // namespace mo::transformations
