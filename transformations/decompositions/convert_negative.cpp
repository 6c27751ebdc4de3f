#include "core/registry/pass_registry.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_negative(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertNegative")
          .described("Negative(x)", "x * -1", "the type has a -1")
          .match(pattern::op<ops::Negative>())
          .replace(of_op<ops::Negative>([](const Node& node, const ops::Negative&, Rewriter& rw) -> Replacement {
            if (!is_signed(node.output_type().element_type)) return declined("the type has no -1");
            return rw.create(ops::Multiply{}, node.input(0), rw.scalar_like(node.input(0), -1));
          })));
}

}  // namespace mo::transformations
