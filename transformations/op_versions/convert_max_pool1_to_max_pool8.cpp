#include "core/registry/pass_registry.hpp"
#include "ops/pooling.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_max_pool1_to_max_pool8(PassRegistry& passes) {
  passes.offer(rewrite("ConvertMaxPool1ToMaxPool8")
                   .described("MaxPool.v1", "MaxPool.v8", "the rank is known")
                   .match(pattern::op<ops::v1::MaxPool>())
                   .replace(of_op<ops::v1::MaxPool>(
                       [](const Node& node, const ops::v1::MaxPool& op, Rewriter& rw) -> Replacement {
                         const auto rank = node.input_type(0).rank();
                         if (!rank || *rank < 3) return declined("the rank is unknown");
                         ops::v8::MaxPool made;
                         static_cast<ops::SlidingWindow&>(made) = op;
                         made.rounding_type = op.rounding_type;
                         made.dilations.assign(static_cast<std::size_t>(*rank) - 2, 1);
                         return rw.create(std::move(made), node.input(0));
                       })));
}

}  // namespace mo::transformations
