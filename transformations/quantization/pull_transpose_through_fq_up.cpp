#include <numeric>

#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/quantization/support/quantization.hpp"

namespace mo::transformations {
namespace {

/// `limit` with 1 in front, up to `rank` dimensions.
Value of_rank(Rewriter& rw, const Value& limit, std::size_t rank) {
  const std::size_t own = limit.type().shape.size();
  if (own >= rank) return limit;
  std::vector<std::int64_t> axes(rank - own);
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  return rw.fold(ops::Unsqueeze{}, limit, rw.integers(axes));
}

}  // namespace

void register_pull_transpose_through_fq_up(PassRegistry& passes) {
  using namespace pattern;
  const Quantize quantize(constant());
  const Pat quantized = quantize.op.one_use();
  const Pat order = constant();
  passes.offer(rewrite("PullTransposeThroughFQUp")
                   .described("Transpose(FakeQuantize(w, limits), order)",
                              "FakeQuantize(Transpose(w, order), transposed limits)",
                              "w and order are constants; each limit is one number, or the order leaves dimensions 0 "
                              "and 1 where they are")
                   .match(op<ops::Transpose>(quantized, order))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const auto rank = m[quantize.data].type().rank();
                     const auto axes =
                         rank ? known_order(m.root().node(), static_cast<std::size_t>(*rank)) : std::nullopt;
                     if (!axes) return declined("the order is not valid");
                     const std::vector<Pat> limits = {quantize.low, quantize.high, quantize.out_low, quantize.out_high};
                     const bool are_numbers = std::all_of(limits.begin(), limits.end(), [&](const Pat& p) {
                       return m[p].type().shape.element_count() == 1;
                     });
                     if (!are_numbers && !(axes->size() >= 2 && (*axes)[0] == 0 && (*axes)[1] == 1))
                       return declined("limits for each channel, and the order moves dimension 0 or 1");
                     std::vector<Value> inputs = {rw.fold(ops::Transpose{}, m[quantize.data], m[order])};
                     for (const Pat& limit : limits) {
                       const PartialShape& shape = m[limit].type().shape;
                       if (!shape.has_rank() || shape.size() > axes->size())
                         return declined("the rank of a limit is unknown or above that of w");
                       inputs.push_back(rw.fold(ops::Transpose{}, of_rank(rw, m[limit], axes->size()), m[order]));
                     }
                     return rw.copy_with_new_inputs(m.node(quantized), inputs).output();
                   }));
}

}  // namespace mo::transformations
