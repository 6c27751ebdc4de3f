#include "core/pass/library.hpp"
#include "extensions/library/support/op_rules.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"

namespace mo::library::decompositions {

void register_soft_plus_decomposition(PassLibrary& library) {
  library.add(
      rewrite("SoftPlusDecomposition")
          .described("SoftPlus(x)", "Log(Exp(x) + 1)")
          .match(pattern::op<ops::SoftPlus>())
          .replace(of_op<ops::SoftPlus>([](const Node& node, const ops::SoftPlus&, Rewriter& rw) -> Replacement {
            const Value x = node.input(0);
            return rw.create(ops::Log{}, rw.create(ops::Add{}, rw.create(ops::Exp{}, x), one_number_for(rw, x, 1)));
          })));
}

}  // namespace mo::library::decompositions
