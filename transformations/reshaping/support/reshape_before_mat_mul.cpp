#include "transformations/reshaping/support/reshape_before_mat_mul.hpp"

#include "core/pass/elimination.hpp"
#include "core/rewrite.hpp"
#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/transpose.hpp"

namespace mo::transformations {

Pass reshape_by_other_input(std::string name, std::size_t side) {
  using namespace pattern;
  const Pat target = constant();
  const Pat reshape = op<ops::Reshape>(any(), target).rank(2);
  const Pat other = any();
  return rewrite(std::move(name))
      .described(
          side == 0 ? "MatMul(Reshape(x, [m, k]), y)" : "MatMul(y, Reshape(x, [k, n]))",
          side == 0 ? "MatMul(Reshape(x, [-1, dimension of y]), y)" : "MatMul(y, Reshape(x, [dimension of y, -1]))",
          "constant sizes; y is neither a Reshape nor a Transpose; with the flags of the product taken into account")
      .match(side == 0 ? op<ops::MatMul>(reshape, other) : op<ops::MatMul>(other, reshape))
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const Node source = m.node(other);
        if (source.is<ops::Reshape>() || source.is<ops::Transpose>())
          return declined("the other input is of such an op itself");
        const auto rank = m[other].type().rank();
        if (!rank || *rank < 2) return declined("the rank of the other input is unknown or below 2");
        const ops::MatMul& product = *node.as<ops::MatMul>();
        // The summed dimension is the last one of the first input, and the last but one of the second, unless they are
        // transposed.
        const bool last = side == 0 ? product.transpose_b : !product.transpose_a;
        const bool summed_first = side == 0 ? product.transpose_a : !product.transpose_b;
        const Value summed = rw.create(ops::v1::Gather{}, rw.create(ops::v3::ShapeOf{}, m[other]),
                                       rw.integers({last ? *rank - 1 : *rank - 2}), rw.scalar<std::int64_t>(0));
        const Value rest = rw.integers({-1});
        const Value sizes =
            rw.create(ops::Concat{.axis = 0}, summed_first ? summed : rest, summed_first ? rest : summed);
        rw.set_input(m.node(reshape), 1, sizes);
        return changed_in_place(node);
      });
}

}  // namespace mo::transformations
