#pragma once

#include "core/pass/elimination.hpp"
#include "core/rewrite.hpp"
#include "ops/convert.hpp"
#include "ops/proposal.hpp"
#include "ops/reshape.hpp"
#include "ops/strided_slice.hpp"

namespace mo::transformations {

inline bool is_image_info(const Value& value) {
  const PartialShape& shape = value.type().shape;
  return value.node().is<Parameter>() && shape.rank() == 2 && (shape[1] == Dimension(3) || shape[1] == Dimension(4));
}

/// Proposal of class T reads the sizes of one image only: with a batch above 1, the first of them.
template <OpLike T>
Pass first_scales_only(std::string name) {
  using namespace pattern;
  const Pat info = any().where(is_image_info, "a Parameter [batch, 3 or 4]");
  const Pat flat = op<ops::Reshape>(any_of(info, op<ops::Convert>(info)), constant()).rank(1);
  return rewrite(std::move(name))
      .described("Proposal(scores, deltas, Reshape(info))",
                 "Proposal(scores, deltas, StridedSlice(Reshape(info), 0, 3 or 4))",
                 "info is a Parameter [batch, 3 or 4], converted or not; constant target of rank 1")
      .match(op<T>(any(), any(), flat))
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        ops::StridedSlice first;
        first.begin_mask = first.end_mask = {0};
        const std::int64_t count = m[info].type().shape[1].value();
        rw.set_input(
            node, 2,
            rw.create(std::move(first), node.input(2), rw.integers({0}), rw.integers({count}), rw.integers({1})));
        return changed_in_place(node);
      });
}

}  // namespace mo::transformations
