#include "core/registry/pass_registry.hpp"
#include "ops/activations.hpp"
#include "ops/build/term.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_gelu(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertGELU")
          .described("Gelu.v2(x)", "(x * 0.5) * (Erf(x / Sqrt(2)) + 1)")
          .match(pattern::op<ops::v0::Gelu>())
          .replace(of_op<ops::v0::Gelu>([](const Node& node, const ops::v0::Gelu&, Rewriter& rw) -> Replacement {
            using namespace build;
            const Term x = term(rw, node.input(0));
            const Term root(rw, rw.fold(ops::Sqrt{}, x.number(2)), x.type());
            return ((x * 0.5) * ((x / root).apply(ops::Erf{}) + 1)).value();
          })));
}

}  // namespace mo::transformations
