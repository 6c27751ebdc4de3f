#include <algorithm>

#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/reshape.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/gathers.hpp"
#include "transformations/support/transposes.hpp"

namespace mo::transformations {

void register_skip_gather_before_transpose_and_reshape(PassRegistry& passes) {
  using namespace pattern;
  const Pat gather = any_gather();
  const Pat order = constant();
  const Pat transpose = op<ops::Transpose>(gather, order);
  const Pat target = constant();
  passes.offer(rewrite("SkipGatherBeforeTransposeAndReshape")
                   .described("Reshape(Transpose(Gather(x, 0, 0), order), shape)",
                              "Reshape(Transpose(x, [0] + (order + 1)), shape)",
                              "the first dimension of x is 1; the index is a scalar; no 0 in the shape")
                   .match(op<ops::Reshape>(transpose, target))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node taken = m.node(gather);
                     const PartialShape& shape = taken.input_type(0).shape;
                     if (!shape.has_rank() || shape.size() == 0 || shape[0] != Dimension(1))
                       return declined("the first dimension is not known to be 1");
                     const auto index = constant_integers_of(taken.input(1));
                     if (!index || taken.input_type(1).rank() != 0 || index->front() != 0 || gather_axis(taken) != 0)
                       return declined("not the first one");
                     const auto sizes = constant_integers_of(m[target]);
                     if (!sizes || std::find(sizes->begin(), sizes->end(), 0) != sizes->end())
                       return declined("a 0 copies by its place");
                     const auto places = constant_order(m[order]);
                     if (!places) return declined("the order is unknown");
                     std::vector<std::int64_t> wider = {0};
                     for (const std::size_t from : *places) wider.push_back(static_cast<std::int64_t>(from) + 1);
                     const Node root = m.root().node();
                     const Value made = rw.create(ops::Transpose{}, taken.input(0), rw.integers(wider));
                     rw.set_input(root, 0, made);
                     return changed_in_place(root);
                   }));
}

}  // namespace mo::transformations
