#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/gather.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_gather0_d(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertGather0D")
          .described("Gather.v1(x, scalar, axis)", "Squeeze(Gather.v1(x, Unsqueeze(scalar), axis), axis)",
                     "the axis is known")
          .match(pattern::op<ops::v1::Gather>())
          .replace(of_op<ops::v1::Gather>([](const Node& node, const ops::v1::Gather&, Rewriter& rw) -> Replacement {
            const auto axis = single_integer_of(node.input(2));
            if (!axis) return declined("the axis is unknown");
            if (node.input_type(1).rank() != 0) return declined("the index is not a scalar");
            const Value index = rw.create(ops::Unsqueeze{}, node.input(1), rw.integers({0}));
            return rw.create(ops::Squeeze{}, rw.create(ops::v1::Gather{}, node.input(0), index, node.input(2)),
                             rw.integers({*axis}));
          })));
}

}  // namespace mo::transformations
