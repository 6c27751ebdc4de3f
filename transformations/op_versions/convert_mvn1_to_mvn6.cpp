#include "core/registry/pass_registry.hpp"
#include "ops/mvn.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_mvn1_to_mvn6(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertMVN1ToMVN6")
          .described("MVN.v2(x)", "MVN.v6(x, axes)", "the rank is above the first axis")
          .match(pattern::op<ops::v0::MVN>())
          .replace(of_op<ops::v0::MVN>([](const Node& node, const ops::v0::MVN& op, Rewriter& rw) -> Replacement {
            const auto rank = node.input_type(0).rank();
            const std::int64_t first = op.across_channels ? 1 : 2;
            if (!rank || *rank <= first) return declined("the rank is unknown or too small");
            std::vector<std::int64_t> axes = op.reduction_axes;
            for (std::int64_t axis = first; op.reduction_axes.empty() && axis < *rank; ++axis) axes.push_back(axis);
            return rw.create(ops::v6::MVN{.eps = op.eps, .normalize_variance = op.normalize_variance}, node.input(0),
                             rw.integers(axes));
          })));
}

}  // namespace mo::transformations
