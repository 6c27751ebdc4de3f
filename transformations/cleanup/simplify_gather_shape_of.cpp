#include <numeric>

#include "core/registry/pass_registry.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/shape_of.hpp"
#include "transformations/support/gathers.hpp"

namespace mo::transformations {
namespace {

/// The dimensions of `shape` from `begin` to before `end`.
Value dimensions(Rewriter& rw, const Value& shape, std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(end - begin));
  std::iota(places.begin(), places.end(), begin);
  return rw.create(ops::v1::Gather{}, shape, rw.integers(places), rw.scalar<std::int64_t>(0));
}

}  // namespace

void register_simplify_gather_shape_of(PassRegistry& passes) {
  using namespace pattern;
  const Pat gather = op<ops::v1::Gather>();
  passes.offer(rewrite("SimplifyGatherShapeOf")
                   .described("ShapeOf(Gather(x, i, axis))",
                              "Concat(ShapeOf(x)[: axis], ShapeOf(i), ShapeOf(x)[axis + 1 :])",
                              "known ranks and axis; without the Concat where i is a scalar")
                   .match(any_op<ops::v0::ShapeOf, ops::v3::ShapeOf>(gather))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.node(gather);
                     const Node root = m.root().node();
                     const auto rank = node.input_type(0).rank();
                     const auto index_rank = node.input_type(1).rank();
                     const auto axis = gather_axis(node);
                     if (!rank || !index_rank || !axis) return declined("ranks or the axis are unknown");
                     const Value shape = rw.copy_with_new_inputs(root, {node.input(0)}).output();
                     if (*index_rank == 0) {
                       std::vector<std::int64_t> others;
                       for (std::int64_t i = 0; i < *rank; ++i)
                         if (i != *axis) others.push_back(i);
                       return rw.create(ops::v1::Gather{}, shape, rw.integers(others), rw.scalar<std::int64_t>(0));
                     }
                     std::vector<Value> parts;
                     if (*axis > 0) parts.push_back(dimensions(rw, shape, 0, *axis));
                     parts.push_back(rw.copy_with_new_inputs(root, {node.input(1)}).output());
                     if (*axis + 1 < *rank) parts.push_back(dimensions(rw, shape, *axis + 1, *rank));
                     return rw.create(ops::Concat{.axis = 0}, parts);
                   }));
}

}  // namespace mo::transformations
