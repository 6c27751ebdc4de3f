#include <algorithm>

#include "core/registry/pass_registry.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/transposes.hpp"

namespace mo::transformations {
namespace {

/// The order of the dimensions that are left when those at places `gone` of the transposed tensor are not there any
/// more.
std::vector<std::int64_t> order_without(const std::vector<std::size_t>& order, const std::vector<std::size_t>& gone) {
  const auto is_gone = [&](std::size_t place) { return std::find(gone.begin(), gone.end(), place) != gone.end(); };
  std::vector<std::int64_t> left;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (is_gone(i)) continue;
    const auto before =
        std::count_if(gone.begin(), gone.end(), [&](std::size_t place) { return order[place] < order[i]; });
    left.push_back(static_cast<std::int64_t>(order[i]) - before);
  }
  return left;
}

}  // namespace

void register_transpose_reduction(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat order = constant();
  const Pat axes = constant();
  passes.offer(
      rewrite("TransposeReduction")
          .described("Reduce(Transpose(x, order), axes)", "Transpose(Reduce(x, axes of x), shorter order)",
                     "any reduction or Squeeze; one reader of the Transpose; constant order and axes")
          .match(reduction_or_squeeze(op<ops::Transpose>(x, order).one_use(), axes))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const Node reduction = m.root().node();
            const auto places = constant_order(m[order]);
            const auto reduced = removed_dims(reduction);
            if (!places || !reduced) return declined("the order or the axes are unknown");
            if (std::any_of(reduced->begin(), reduced->end(), [&](std::size_t axis) { return axis >= places->size(); }))
              return declined("the order is not of that rank");
            std::vector<std::int64_t> own;
            for (const std::size_t axis : *reduced) own.push_back(static_cast<std::int64_t>((*places)[axis]));
            const Value small = rw.copy_with_new_inputs(reduction, {m[x], rw.integers(own)}).output();
            return rw.create(ops::Transpose{}, small,
                             keeps_dims(reduction) ? m[order] : rw.integers(order_without(*places, *reduced)));
          }));
}

}  // namespace mo::transformations
