#include "core/graph/values.hpp"
#include "core/pass/library.hpp"
#include "core/rewrite.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/reduce.hpp"
#include "ops/squeeze.hpp"

namespace mo::library::cleanup {

void register_replace_concat_reduce_by_min_or_max(PassLibrary& library) {
  using namespace pattern;
  const Pat a = any();
  const Pat b = any();
  const Pat axes = constant();
  const Pat concat = op<ops::Concat>(a, b);
  library.add(rewrite("ReplaceConcatReduceByMinOrMax")
                  .described("ReduceMin(Concat(a, b), axis), ReduceMax", "Minimum(a, b), Maximum, squeezed unless dimensions are kept",
                             "the Concat is along that axis, where a and b are of size 1")
                  .match(any_op<ops::ReduceMin, ops::ReduceMax>(concat, axes))
                  .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                    const Node root = m.root().node();
                    const auto rank = m[concat].type().rank();
                    const auto reduced = constant_integers_of(m[axes]);
                    if (!rank || !reduced || reduced->size() != 1) return declined("not one known axis");
                    const auto axis = normalize_axis(reduced->front(), *rank);
                    if (!axis || normalize_axis(m.node(concat).as<ops::Concat>()->axis, *rank) != axis) return declined("another axis");
                    for (const Pat& input : {a, b}) {
                      const PartialShape& shape = m[input].type().shape;
                      if (!shape.has_rank() || shape[static_cast<std::size_t>(*axis)] != Dimension(1))
                        return declined("an input is longer than 1 there");
                    }
                    const Value made = root.is<ops::ReduceMin>() ? rw.create(ops::Minimum{}, m[a], m[b]) : rw.create(ops::Maximum{}, m[a], m[b]);
                    const bool kept = root.attr<bool>("keep_dims").value_or(false);
                    return kept ? made : rw.create(ops::Squeeze{}, made, m[axes]);
                  }));
}

}  // namespace mo::library::cleanup
