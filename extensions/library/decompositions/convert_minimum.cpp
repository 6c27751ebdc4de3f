#include "core/pass/library.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/build/term.hpp"

namespace mo::library::decompositions {

void register_convert_minimum(PassLibrary& library) {
  library.add(rewrite("ConvertMinimum")
                  .described("Minimum(a, b)", "-Maximum(-a, -b)", "a signed type")
                  .match(pattern::op<ops::Minimum>())
                  .replace(of_op<ops::Minimum>([](const Node& node, const ops::Minimum&, Rewriter& rw) -> Replacement {
                    using namespace build;
                    if (!is_signed(node.output_type().element_type)) return declined("no signed type");
                    return (larger(term(rw, node.input(0)) * -1, term(rw, node.input(1)) * -1) * -1).value();
                  })));
}

}  // namespace mo::library::decompositions
