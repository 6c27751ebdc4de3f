#include "core/registry/pass_registry.hpp"
#include "ops/build/term.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_minimum(PassRegistry& passes) {
  passes.offer(rewrite("ConvertMinimum")
                   .described("Minimum(a, b)", "-Maximum(-a, -b)", "a signed type")
                   .match(pattern::op<ops::Minimum>())
                   .replace(of_op<ops::Minimum>([](const Node& node, const ops::Minimum&, Rewriter& rw) -> Replacement {
                     using namespace build;
                     if (!is_signed(node.output_type().element_type)) return declined("no signed type");
                     return (larger(term(rw, node.input(0)) * -1, term(rw, node.input(1)) * -1) * -1).value();
                   })));
}

}  // namespace mo::transformations
