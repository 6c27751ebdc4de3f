#include "core/registry/pass_registry.hpp"
#include "ops/build/term.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_convert_mod(PassRegistry& passes) {
  passes.offer(
      rewrite("ConvertMod")
          .described("Mod(a, b)", "Sign(a) * (Abs(a) - whole(Abs(a) / Abs(b)) * Abs(b)), whole: to i64 and back")
          .match(pattern::op<ops::Mod>())
          .replace(of_op<ops::Mod>([](const Node& node, const ops::Mod&, Rewriter& rw) -> Replacement {
            using namespace build;
            const Term a = term(rw, node.input(0));
            const Term b = term(rw, node.input(1));
            const Term size = absolute(a);
            const Term step = absolute(b);
            const Term whole = (size / step).as(ElementType::i64).as(a.type());
            return (a.apply(ops::Sign{}) * (size - whole * step)).value();
          })));
}

}  // namespace mo::transformations
