#include <numeric>

#include "core/registry/pass_registry.hpp"
#include "ops/pad.hpp"
#include "ops/space_to_batch.hpp"
#include "transformations/decompositions/support/batch_space.hpp"

namespace mo::transformations {
namespace {

/// From the last dimension to the first: its places inside of a block become the first dimension, which goes into the
/// batch.
Value places_into_batch(Rewriter& rw, Value x, Shape shape, const std::vector<std::int64_t>& blocks) {
  for (std::size_t i = blocks.size(); i-- > 0;) {
    Shape parts = shape;
    parts[i] /= blocks[i];
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(i) + 1, blocks[i]);
    std::vector<std::int64_t> order(parts.size());
    std::iota(order.begin(), order.end(), 0);
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    order.insert(order.begin(), static_cast<std::int64_t>(i) + 1);
    shape[i] /= blocks[i];
    shape[0] *= blocks[i];
    x = reshaped_to(rw, transposed_by(rw, reshaped_to(rw, x, parts), order), shape);
  }
  return x;
}

Value all_places_into_batch(Rewriter& rw, const Value& x, Shape shape, const std::vector<std::int64_t>& blocks) {
  Shape parts{shape[0]};
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> rest{0};
  for (std::size_t i = 1; i < shape.size(); ++i) {
    rest.push_back(static_cast<std::int64_t>(parts.size()));
    places.push_back(static_cast<std::int64_t>(parts.size()) + 1);
    shape[i] /= blocks[i];
    shape[0] *= blocks[i];
    parts.insert(parts.end(), {shape[i], blocks[i]});
  }
  places.insert(places.end(), rest.begin(), rest.end());
  return reshaped_to(rw, transposed_by(rw, reshaped_to(rw, x, parts), places), shape);
}

}  // namespace

void register_convert_space_to_batch(PassRegistry& passes) {
  passes.offer(rewrite("ConvertSpaceToBatch")
                   .described("SpaceToBatch(x, blocks, pads_begin, pads_end)",
                              "Pad, then Reshape, Transpose, Reshape: for each dimension, or once",
                              "the shape is known, the other inputs are constants")
                   .settings<BlockMovement>()
                   .match(pattern::op<ops::SpaceToBatch>())
                   .replace([](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
                     const Node node = m.root().node();
                     const auto lists = block_lists(node);
                     if (!lists) return declined("the shape or a list is unknown");
                     Shape padded = lists->data;
                     for (std::size_t i = 0; i < padded.size(); ++i) {
                       padded[i] += lists->begins[i] + lists->ends[i];
                       if (padded[i] % lists->blocks[i] != 0) return declined("the blocks do not fit");
                     }
                     const Value zero = rw.scalar_like(node.input(0), 0);
                     const Value x = rw.create(ops::v1::Pad{}, node.input(0), rw.integers(lists->begins),
                                               rw.integers(lists->ends), zero);
                     return context.settings.get<BlockMovement>().convert_by_elements
                                ? places_into_batch(rw, x, padded, lists->blocks)
                                : all_places_into_batch(rw, x, padded, lists->blocks);
                   }));
}

}  // namespace mo::transformations
