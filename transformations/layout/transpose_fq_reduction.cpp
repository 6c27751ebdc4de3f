#include <numeric>

#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/transposes.hpp"

namespace mo::transformations {
namespace {

/// A limit of the FakeQuantize after the Transpose as one before it; empty when its rank is unknown or too high.
Value turned_back(Rewriter& rw, Value limit, const std::vector<std::size_t>& order) {
  const auto rank = limit.type().rank();
  if (!rank || *rank > static_cast<std::int64_t>(order.size())) return {};
  if (const std::size_t missing = order.size() - static_cast<std::size_t>(*rank); missing > 0) {
    std::vector<std::int64_t> axes(missing);
    std::iota(axes.begin(), axes.end(), std::int64_t{0});
    limit = rw.fold(ops::Unsqueeze{}, limit, rw.integers(axes));
  }
  return rw.fold(ops::Transpose{}, limit, rw.integers(inverse_order(order)));
}

}  // namespace

void register_transpose_fq_reduction(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat order = constant();
  const Pat quantize = op<ops::FakeQuantize>(op<ops::Transpose>(x, order), any(), any(), any(), any());
  passes.offer(rewrite("TransposeFQReduction")
                   .described("Reduce(FakeQuantize(Transpose(x, order), limits))",
                              "Reduce(Transpose(FakeQuantize(x, limits turned back), order))",
                              "any reduction or Squeeze with constant axes; constant order; limits of known rank")
                   .match(reduction_or_squeeze(quantize, constant()))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const auto places = constant_order(m[order]);
                     if (!places) return declined("the order is unknown");
                     const Node old = m.node(quantize);
                     std::vector<Value> inputs = {m[x]};
                     for (std::size_t i = 1; i < old.in_port_count(); ++i) {
                       inputs.push_back(turned_back(rw, old.input(i), *places));
                       if (!inputs.back()) return declined("a limit has an unknown rank");
                     }
                     const Value made = rw.copy_with_new_inputs(old, inputs).output();
                     const Node root = m.root().node();
                     rw.replace(old, {rw.create(ops::Transpose{}, made, m[order])});
                     return changed_in_place(root);
                   }));
}

}  // namespace mo::transformations
