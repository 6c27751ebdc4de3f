#include "core/rewrite.hpp"
#include "ops/convert.hpp"
#include "ops/pattern.hpp"
#include "ops/random_uniform.hpp"
#include "transformations/fusions/support/random_numbers.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

void register_random_uniform_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat random = op<ops::RandomUniform>(any(), any(), any()).one_use();
  const Pat converted = op<ops::Convert>(random).one_use();
  const Pat numbers = any_of(converted, random);
  const Pat c = one_number();
  const Pat root = any_op<ops::Add, ops::Multiply>(numbers, c);
  passes.offer(
      rewrite("RandomUniformFusion")
          .described("RandomUniform(shape, min, max) + c, RandomUniform(shape, min, max) * c",
                     "RandomUniform with the limits moved",
                     "floating-point values; c is one number, a factor is positive; perhaps with a Convert in between")
          .match(root)
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const Node node = m.node(random);
            const bool scales = m.root().node().is<ops::Multiply>();
            if (!is_real(node.output_type().element_type)) return declined("the random numbers are integers");
            if (scales && !(*number_of(m[c]) > 0)) return declined("the factor is not positive");
            if (!can_stand_for(m.root(), m[numbers])) return declined("the constant changes the shape");
            const Value constant = rw.scalar_like(node.output(), *number_of(m[c]));
            const auto moved = [&](const Value& limit) {
              return scales ? rw.fold(ops::Multiply{}, limit, constant) : rw.fold(ops::Add{}, limit, constant);
            };
            const Value low = moved(node.input(1));
            const Node made = rw.copy_with_new_inputs(node, {node.input(0), low, moved(node.input(2))});
            const Value conversion = m.find(converted);
            const Value result =
                conversion ? rw.copy_with_new_inputs(conversion.node(), {made.output()}).output() : made.output();
            replace_random(rw, node, made.output());
            return result;
          }));
}

}  // namespace mo::transformations
