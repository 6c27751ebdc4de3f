#include <algorithm>

#include "ops/batch_to_space.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Whether a dimension keeps fewer elements than a block has, so that parts of the batch go whole. Of an unknown size
/// that may be so wherever anything is cut off.
bool may_lose_parts(const Dimension& size, std::int64_t block, std::int64_t cut_off) {
  if (block <= 1 || cut_off <= 0) return false;
  return !size.is_known() || size.value() * block - cut_off < block;
}

/// BatchToSpace(x, blocks, begins, ends) -> BatchToSpace without crops, StridedSlice
Replacement cut_afterwards(const Node& node, Rewriter& rw) {
  const PartialShape& data = node.input_type(0).shape;
  const auto blocks = integers_of(node.input(1));
  const auto begins = integers_of(node.input(2));
  const auto ends = integers_of(node.input(3));
  if (!blocks || !begins || !ends || !data.has_rank()) return declined("the rank or a list is unknown");
  const std::size_t rank = data.size();
  if (blocks->size() != rank || begins->size() != rank || ends->size() != rank) return declined("the lists do not fit");
  bool may_lose = false;
  for (std::size_t i = 1; i < rank; ++i) may_lose |= may_lose_parts(data[i], (*blocks)[i], (*begins)[i] + (*ends)[i]);
  if (!may_lose) return declined("all parts of the batch are read");
  const Value nothing = rw.integers(std::vector<std::int64_t>(rank, 0));
  const Value whole = rw.create(ops::BatchToSpace{}, node.input(0), node.input(1), nothing, nothing);
  ops::StridedSlice cut;
  cut.begin_mask.assign(rank, 0);
  std::vector<std::int64_t> from_back(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    from_back[i] = -(*ends)[i];
    cut.end_mask.push_back((*ends)[i] == 0 ? 1 : 0);
  }
  return rw.create(std::move(cut), whole, rw.integers(*begins), rw.integers(from_back),
                   rw.integers(std::vector<std::int64_t>(rank, 1)));
}

}  // namespace

void register_blocks_cut_away(PassRegistry& passes) {
  passes.add(
      avoid_fault("BlocksCutAway", {.form = "BatchToSpace that keeps fewer elements of a dimension than its block has",
                                    .symptom = "the process ends",
                                    .first = "2021.4",
                                    .last = "2023.3",
                                    .replacement = "BatchToSpace that cuts nothing off, StridedSlice"})
          .add(lowering<ops::BatchToSpace>("CutAfterwards", cut_afterwards)));
}

}  // namespace mo::transformations
