#include "core/rewrite.hpp"
#include "ops/pattern.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

/// T(T(x, a), b) -> T(x, T(a, b))
template <OpLike T>
Pass twice_the_same(std::string name, std::string before, std::string after) {
  const Pat x = any();
  const Pat inner = constant();
  const Pat outer = constant();
  return rewrite(std::move(name))
      .described(std::move(before), std::move(after), "a and b are constants; nothing else reads the inner result")
      .match(op<T>(op<T>(x, inner).one_use(), outer))
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        return rw.create(T{}, m[x], rw.fold(T{}, m[inner], m[outer]));
      });
}

}  // namespace

void register_lin_op_sequence_fusion(PassRegistry& passes) {
  const Pat x = any();
  const Pat summand = constant();
  const Pat factor = constant();
  passes.offer(rewrite("AddMultiplyFusion")
                   .described("(x + a) * b", "x * b + a * b", "a and b are constants; nothing else reads the sum")
                   .match((x + summand).one_use() * factor)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Value product = rw.create(ops::Multiply{}, m[x], m[factor]);
                     return rw.create(ops::Add{}, product, rw.fold(ops::Multiply{}, m[summand], m[factor]));
                   }));
  passes.offer(twice_the_same<ops::Add>("AddAddFusion", "(x + a) + b", "x + (a + b)"));
  passes.offer(twice_the_same<ops::Multiply>("MultiplyMultiplyFusion", "(x * a) * b", "x * (a * b)"));
  passes.offer(
      pipeline("LinOpSequenceFusion")
          .described("sequences of additions and multiplications of constants", "one multiplication and one addition")
          .group("LinOpSequenceFusion", {"AddMultiplyFusion", "AddAddFusion", "MultiplyMultiplyFusion"}));
}

}  // namespace mo::transformations
