#include <cmath>

#include "core/rewrite.hpp"
#include "ops/broadcast.hpp"
#include "ops/convert.hpp"
#include "ops/pattern.hpp"
#include "ops/random_uniform.hpp"
#include "transformations/fusions/support/random_numbers.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

void register_dropout_with_random_uniform_replacer(PassRegistry& passes) {
  using namespace pattern;
  const Pat shape = any();
  const Pat random = op<ops::RandomUniform>(shape, number(0), number(1)).one_use();
  const Pat keep = one_number();
  const Pat root = op<ops::Floor>(optional<ops::Convert>(random).one_use() + keep);
  passes.offer(
      rewrite("DropoutWithRandomUniformReplacer")
          .described("Floor(RandomUniform(shape, 0, 1) + n)", "Floor(Broadcast.v3(0.5, shape) + n)",
                     "real random numbers that nothing else reads, n is one integer; perhaps with a Convert in between")
          .match(root)
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const Node node = m.node(random);
            if (!is_real(node.output_type().element_type)) return declined("the random numbers are integers");
            const double kept = *number_of(m[keep]);
            if (std::nearbyint(kept) != kept) return declined("the addend is not an integer");
            replace_random(rw, node, rw.create(ops::Broadcast{}, rw.scalar_like(node.output(), 0.5), m[shape]));
            return rw.copy_with_new_inputs(m.root().node(), {m.root().node().input(0)}).output();
          }));
}

}  // namespace mo::transformations
