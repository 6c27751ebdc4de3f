#include <algorithm>

#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/transpose.hpp"

namespace mo::transformations {
namespace {

bool is_one(const Dimension& dim) { return dim.is_known() && dim.value() == 1; }

/// Dimensions of 1 apart, all stay in their order.
bool moves_ones_only(const PartialShape& shape, const std::vector<std::int64_t>& order) {
  std::int64_t last = -1;
  for (const std::int64_t from : order) {
    if (is_one(shape[static_cast<std::size_t>(from)])) continue;
    if (from < last) return false;
    last = from;
  }
  return true;
}

}  // namespace

void register_transpose_to_reshape(PassRegistry& passes) {
  const Pat transpose = pattern::op<ops::Transpose>();
  passes.offer(rewrite("TransposeToReshape")
                   .described("Transpose(x, order)",
                              "Reshape(x, shape), or x when nothing else than dimensions of 1 is moved",
                              "constant order that keeps the dimensions above 1 in their order; with two or more "
                              "unknown dimensions at new places "
                              "the shape is computed")
                   .match(transpose)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(transpose);
                     const Value x = node.input(0);
                     const PartialShape& shape = x.type().shape;
                     const auto order = constant_integers_of(node.input(1));
                     if (!shape.has_rank() || !order || order->size() != shape.size())
                       return declined("the rank or the order is unknown");
                     if (!moves_ones_only(shape, *order)) return declined("dimensions above 1 change places");
                     std::vector<std::int64_t> target(shape.size(), 0);
                     std::int64_t moved = 0;
                     std::int64_t unknown = 0;
                     for (std::size_t i = 0; i < target.size(); ++i) {
                       if ((*order)[i] == static_cast<std::int64_t>(i)) continue;
                       const Dimension& dim = shape[static_cast<std::size_t>((*order)[i])];
                       if (dim == Dimension(0)) return declined("a 0 in the target would copy");
                       target[i] = dim.is_known() ? dim.value() : -1;
                       moved += is_one(dim) ? 0 : 1;
                       unknown += dim.is_known() ? 0 : 1;
                     }
                     if (moved == 0) return bypass(node, x);
                     const Value sizes = unknown < 2 ? rw.integers(target)
                                                     : rw.create(ops::v1::Gather{}, rw.create(ops::v3::ShapeOf{}, x),
                                                                 node.input(1), rw.integers({0}));
                     return rw.create(ops::Reshape{.special_zero = true}, x, sizes);
                   }));
}

}  // namespace mo::transformations
