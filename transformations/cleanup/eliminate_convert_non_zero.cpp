#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/convert.hpp"
#include "ops/non_zero.hpp"

namespace mo::transformations {
namespace {

/// Zeros stay zeros, and nothing else becomes one: 0.5 as an integer does, and 256 in eight bits.
bool keeps_zeros(ElementType from, ElementType to) {
  if (from == ElementType::dynamic) return false;
  if (to == ElementType::boolean || from == ElementType::boolean || from == to) return true;
  if (is_small_real(from)) return to == ElementType::f32 || to == ElementType::f64;
  if (is_real(from)) return is_real(to) && bit_width(to) > bit_width(from);
  return is_real(to) || bit_width(to) >= bit_width(from);
}

}  // namespace

void register_eliminate_convert_non_zero(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat convert = op<ops::Convert>(x).one_use();
  passes.offer(rewrite("EliminateConvertNonZero")
                   .described("NonZero(Convert(x))", "NonZero(x)", "one reader of the Convert, which creates no zeros")
                   .match(op<ops::NonZero>(convert))
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     if (!keeps_zeros(m[x].type().element_type, m[convert].type().element_type))
                       return declined("the conversion creates zeros");
                     return rw.create(ops::NonZero{*m.root().node().as<ops::NonZero>()}, m[x]);
                   }));
}

}  // namespace mo::transformations
