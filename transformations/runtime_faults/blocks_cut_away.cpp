#include <algorithm>

#include "ops/batch_to_space.hpp"
#include "ops/build/lengths.hpp"
#include "ops/build/tensors.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Whether a dimension keeps fewer elements than a block has, so that parts of the batch go whole. Of an unknown size
/// that may be so wherever anything is cut off.
bool may_lose_parts(const Dimension& size, std::int64_t block, std::int64_t begin, std::int64_t end) {
  if (block <= 1 || (begin <= 0 && end <= 0)) return false;
  return !size.is_known() || size.value() * block - begin - end < block;
}

bool only_zeros(const std::vector<std::int64_t>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](std::int64_t number) { return number == 0; });
}

/// Whether that may be so in any dimension; also where a list is computed.
bool may_lose_parts(const Node& node, const PartialShape& data) {
  const auto blocks = integers_of(node.input(1));
  const auto begins = integers_of(node.input(2));
  const auto ends = integers_of(node.input(3));
  if (!begins || !ends) return true;
  if (begins->size() != data.size() || ends->size() != data.size()) return false;
  if (!blocks || blocks->size() != data.size()) return !only_zeros(*begins) || !only_zeros(*ends);
  for (std::size_t i = 1; i < data.size(); ++i)
    if (may_lose_parts(data[i], blocks->at(i), begins->at(i), ends->at(i))) return true;
  return false;
}

/// BatchToSpace(x, blocks, begins, ends) -> BatchToSpace without crops, StridedSlice
Replacement cut_afterwards(const Node& node, Rewriter& rw) {
  const PartialShape& data = node.input_type(0).shape;
  if (!data.has_rank() || !may_lose_parts(node, data))
    return declined("all parts of the batch are read, or no rank is known");
  const std::vector<std::int64_t> zeros(data.size(), 0);
  const Value nothing = rw.integers(zeros);
  const Value whole = rw.create(ops::BatchToSpace{}, node.input(0), build::as_i64(rw, node.input(1)), nothing, nothing);
  ops::StridedSlice cut{.begin_mask = zeros, .end_mask = zeros};
  Value end;
  if (auto ends = integers_of(node.input(3))) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      cut.end_mask[i] = ends->at(i) == 0 ? 1 : 0;
      ends->at(i) = -ends->at(i);
    }
    end = rw.integers(*ends);
  } else {
    end = rw.create(ops::Subtract{}, build::shape_of(rw, whole), build::as_i64(rw, node.input(3)));
  }
  return rw.create(std::move(cut), whole, build::as_i64(rw, node.input(2)), end,
                   rw.integers(std::vector<std::int64_t>(data.size(), 1)));
}

}  // namespace

void register_blocks_cut_away(PassRegistry& passes) {
  passes.add(
      avoid_fault("BlocksCutAway",
                  {.form = "BatchToSpace that keeps fewer elements of a dimension than its block has, or may do so",
                   .symptom = "the process ends",
                   .first = "2021.4",
                   .last = "2023.3",
                   .replacement = "BatchToSpace that cuts nothing off, StridedSlice"})
          .add(lowering<ops::BatchToSpace>("CutAfterwards", cut_afterwards)));
}

}  // namespace mo::transformations
