#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/transposes.hpp"

namespace mo::transformations {

void register_transpose_fuse(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat first = constant();
  const Pat second = constant();
  passes.offer(rewrite("TransposeFuse")
                   .described("Transpose(Transpose(x, a), b)", "Transpose(x, c), or x",
                              "one reader of the inner one; constant orders")
                   .match(op<ops::Transpose>(op<ops::Transpose>(x, first).one_use(), second))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const auto a = constant_order(m[first]);
                     const auto b = constant_order(m[second]);
                     if (!a || !b || a->size() != b->size())
                       return declined("the orders are not of the same number of dimensions");
                     std::vector<std::int64_t> order;
                     bool identity = true;
                     for (std::size_t i = 0; i < b->size(); ++i) {
                       order.push_back(static_cast<std::int64_t>((*a)[(*b)[i]]));
                       identity = identity && (*a)[(*b)[i]] == i;
                     }
                     if (identity) return bypass(m.root().node(), m[x]);
                     return rw.create(ops::Transpose{}, m[x], rw.integers(order));
                   }));
}

}  // namespace mo::transformations
