#include "core/pass/library.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::library::decompositions {

void register_soft_sign_decomposition(PassLibrary& library) {
  library.add(
      rewrite("SoftSignDecomposition")
          .described("SoftSign(x)", "x / (Abs(x) + 1)")
          .match(pattern::op<ops::SoftSign>())
          .replace(of_op<ops::SoftSign>([](const Node& node, const ops::SoftSign&, Rewriter& rw) -> Replacement {
            const Value x = node.input(0);
            return rw.create(ops::Divide{}, x,
                             rw.create(ops::Add{}, rw.create(ops::Abs{}, x), one_number_for(rw, x, 1)));
          })));
}

}  // namespace mo::library::decompositions
