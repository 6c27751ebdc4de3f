#include <numeric>

#include "core/registry/pass_registry.hpp"
#include "ops/batch_to_space.hpp"
#include "ops/strided_slice.hpp"
#include "transformations/decompositions/support/batch_space.hpp"

namespace mo::transformations {
namespace {

/// From the second dimension on: a part of the batch becomes the first dimension, which moves after the dimension.
Value parts_into_space(Rewriter& rw, Value x, Shape shape, const std::vector<std::int64_t>& blocks) {
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    shape[0] /= blocks[i];
    Shape parts = shape;
    parts.insert(parts.begin(), blocks[i]);
    std::vector<std::int64_t> order(parts.size() - 1);
    std::iota(order.begin(), order.end(), 1);
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(i) + 1, 0);
    shape[i] *= blocks[i];
    x = reshaped_to(rw, transposed_by(rw, reshaped_to(rw, x, parts), order), shape);
  }
  return x;
}

Value all_parts_into_space(Rewriter& rw, const Value& x, Shape shape, const std::vector<std::int64_t>& blocks) {
  const auto count = static_cast<std::int64_t>(blocks.size()) - 1;
  Shape parts(blocks.begin() + 1, blocks.end());
  for (const std::int64_t block : parts) shape[0] /= block;
  parts.insert(parts.end(), shape.begin(), shape.end());
  std::vector<std::int64_t> order{count};
  for (std::int64_t i = 0; i < count; ++i) {
    order.insert(order.end(), {count + 1 + i, i});
    shape[static_cast<std::size_t>(i) + 1] *= blocks[static_cast<std::size_t>(i) + 1];
  }
  return reshaped_to(rw, transposed_by(rw, reshaped_to(rw, x, parts), order), shape);
}

}  // namespace

void register_convert_batch_to_space(PassRegistry& passes) {
  passes.offer(rewrite("ConvertBatchToSpace")
                   .described("BatchToSpace(x, blocks, crops_begin, crops_end)",
                              "Reshape, Transpose, Reshape: for each dimension, or once; StridedSlice",
                              "the shape is known, the other inputs are constants")
                   .settings<BlockMovement>()
                   .match(pattern::op<ops::BatchToSpace>())
                   .replace([](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
                     const Node node = m.root().node();
                     const auto lists = block_lists(node);
                     if (!lists) return declined("the shape or a list is unknown");
                     Shape whole = lists->data;
                     std::int64_t parts = 1;
                     for (std::size_t i = 1; i < whole.size(); ++i) {
                       parts *= lists->blocks[i];
                       whole[i] *= lists->blocks[i];
                     }
                     if (lists->blocks[0] != 1 || whole[0] % parts != 0) return declined("the blocks do not fit");
                     whole[0] /= parts;
                     const Value moved = context.settings.get<BlockMovement>().convert_by_elements
                                             ? parts_into_space(rw, node.input(0), lists->data, lists->blocks)
                                             : all_parts_into_space(rw, node.input(0), lists->data, lists->blocks);
                     std::vector<std::int64_t> end = whole;
                     for (std::size_t i = 0; i < end.size(); ++i) end[i] -= lists->ends[i];
                     const std::vector<std::int64_t> no_mask(end.size(), 0);
                     return rw.create(ops::StridedSlice{.begin_mask = no_mask, .end_mask = no_mask}, moved,
                                      rw.integers(lists->begins), rw.integers(end),
                                      rw.integers(std::vector<std::int64_t>(end.size(), 1)));
                   }));
}

}  // namespace mo::transformations
