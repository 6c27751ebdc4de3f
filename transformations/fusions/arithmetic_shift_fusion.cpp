#include "core/tensor/convert.hpp"
#include "ops/bitwise.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/select.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// The integer of a Const of one element, its bits read as this type of the same width.
std::optional<std::int64_t> bits_of_one(const Value& value, ElementType type) {
  const Const* const constant = value.node().as<Const>();
  if (!constant || constant->value.element_count() != 1 || bit_width(constant->value.element_type()) != bit_width(type))
    return std::nullopt;
  const auto bits = to_integers(constant->value.reinterpreted(type));
  return bits ? std::optional(bits->front()) : std::nullopt;
}

}  // namespace

/// Select(x < 0, u >> n | the n highest bits, u >> n), where u is x as unsigned integers -> x >> n of signed ones, as
/// exporters to ONNX write it, which shifts unsigned integers only. Runtimes compute unsigned integers of 64 bits in
/// 32, and get other bits.
void register_arithmetic_shift_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat count = one_number();
  const Pat mask = one_number();
  const Pat shifted = op<ops::BitwiseRightShift>(op<ops::Convert>(x), count);
  const Pat filled = op<ops::Convert>(op<ops::BitwiseOr>(shifted, mask));
  passes.add(rewrite("ArithmeticShiftFusion")
                 .run_after({"CommonSubexpressions"})
                 .match(op<ops::Select>(op<ops::Less>(x, number(0)), filled, op<ops::Convert>(shifted)))
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   const ElementType type = m[x].type().element_type;
                   const ElementType unsigned_type = m[shifted].type().element_type;
                   if (!is_integral(type) || !is_signed(type) || is_signed(unsigned_type) ||
                       bit_width(type) != bit_width(unsigned_type))
                     return declined("not a signed integer that is shifted as an unsigned one of the same width");
                   if (m.root().type().element_type != type || !same_shape(m.root().type().shape, m[x].type().shape))
                     return declined("another type or shape than that of the shifted number");
                   const auto bits = bits_of_one(m[count], type);
                   const auto highest = bits_of_one(m[mask], type);
                   const auto width = static_cast<std::int64_t>(bit_width(type));
                   if (!bits || !highest || *bits < 1 || *bits >= width ||
                       *highest != static_cast<std::int64_t>(~std::uint64_t{0} << (width - *bits)))
                     return declined("the mask is not that of the bits that are free after the shift");
                   MO_ASSIGN(Tensor number, from_integers(type, {}, {*bits}));
                   return rw.create(ops::BitwiseRightShift{}, m[x], rw.constant(std::move(number)));
                 }));
}

}  // namespace mo::transformations
