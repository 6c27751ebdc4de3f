#include "core/pass/library.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/build/term.hpp"

namespace mo::library::decompositions {

void register_convert_mod(PassLibrary& library) {
  library.add(
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

}  // namespace mo::library::decompositions
