#include <cmath>
#include <limits>

#include "extensions/back/lowering.hpp"
#include "extensions/back/support/runtime_fault.hpp"
#include "ops/broadcast.hpp"
#include "ops/reduce.hpp"

namespace mo::back {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// reduce(x, axes) -> broadcast(what the reduction of no elements is), where an axis has no elements and the result has some.
template <class T>
RewriteRule of_nothing(std::string name, double neutral) {
  return rewrite(std::move(name)).match(pattern::op<T>()).rule([neutral](const Match& m, Rewriter& rw) -> Replacement {
    const Node node = m.root().node();
    const auto result = node.output_type().shape.to_shape();
    if (node.input_type(0).shape.element_count() != 0 || !result || element_count(*result) == 0) return declined("not known to be without elements");
    if (!std::isfinite(neutral) && !is_real(node.input_type(0).element_type)) return declined("integers have no infinity");
    return rw.create(ops::Broadcast{}, rw.scalar_like(node.input(0), neutral), rw.integers(*result));
  });
}

}  // namespace

void register_reductions_of_nothing(PassRegistry& passes) {
  passes.add(avoid_fault("ReductionsOfNothing", {.form = "reduction along dimensions of size 0",
                                                 .symptom = "what was in memory; from 2024.6 on a finite number for infinity",
                                                 .first = "2022.1",
                                                 .last = "latest",
                                                 .replacement = "Broadcast of the number that the reduction of nothing is"})
                 .add(of_nothing<ops::ReduceMax>("ReduceMax", -kInfinity))
                 .add(of_nothing<ops::ReduceMin>("ReduceMin", kInfinity))
                 .add(of_nothing<ops::ReduceMean>("ReduceMean", kNaN))
                 .add(of_nothing<ops::ReduceSum>("ReduceSum", 0))
                 .add(of_nothing<ops::ReduceL1>("ReduceL1", 0))
                 .add(of_nothing<ops::ReduceL2>("ReduceL2", 0))
                 .add(of_nothing<ops::ReduceProd>("ReduceProd", 1)));
}

}  // namespace mo::back
