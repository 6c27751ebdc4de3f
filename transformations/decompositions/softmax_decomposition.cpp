#include "core/registry/pass_registry.hpp"
#include "ops/build/term.hpp"
#include "ops/soft_max.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_softmax_decomposition(PassRegistry& passes) {
  passes.offer(rewrite("SoftmaxDecomposition")
                   .described("SoftMax(x)", "y / ReduceSum(y), y = Exp(x - ReduceMax(x))")
                   .match(pattern::any_op<ops::v1::SoftMax, ops::v8::SoftMax>())
                   .replace([](const Match& m, Rewriter& rw) -> Replacement {
                     using namespace build;
                     const Node node = m.root().node();
                     const auto* const first = node.as<ops::v1::SoftMax>();
                     const std::int64_t axis = first ? first->axis : node.as<ops::v8::SoftMax>()->axis;
                     const Term x = term(rw, node.input(0));
                     const Term y = (x - reduced<ops::ReduceKind::max>(x, {axis}, true)).apply(ops::Exp{});
                     return (y / reduced<ops::ReduceKind::sum>(y, {axis}, true)).value();
                   }));
}

}  // namespace mo::transformations
