#include "ops/convert.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/support/partial_arithmetic.hpp"

namespace mo::ops {
namespace {

/// Error MO-OPS-0108 where no conversion exists: numbers and strings do not mix.
Expected<void> expect_convertible(const InferContext& ctx, ElementType from, ElementType to) {
  if (from == to || from == ElementType::dynamic || to == ElementType::dynamic) return {};
  if (from != ElementType::string && to != ElementType::string) return {};
  return ctx.error("MO-OPS-0108", "{} cannot be converted to {}", to_string(from), to_string(to))
      .hint("parse or print the strings outside of the model, or cut it after the conversion");
}

Expected<void> infer_conversion(InferContext& ctx, ElementType type) {
  MO_TRY(expect_convertible(ctx, ctx.input_element_type(0), type));
  ctx.output(0, type, ctx.input_shape(0));
  if (auto partial = partial_convert(ctx, type)) ctx.output_partial(0, *std::move(partial));
  return {};
}

/// Integer types by width and sign; nothing for a width that does not exist.
std::optional<ElementType> integer_type(std::size_t bits, bool is_signed) {
  switch (bits) {
    case 1: return is_signed ? std::nullopt : std::optional(ElementType::u1);
    case 4: return is_signed ? ElementType::i4 : ElementType::u4;
    case 8: return is_signed ? ElementType::i8 : ElementType::u8;
    case 16: return is_signed ? ElementType::i16 : ElementType::u16;
    case 32: return is_signed ? ElementType::i32 : ElementType::u32;
    case 64: return is_signed ? ElementType::i64 : ElementType::u64;
    default: return std::nullopt;
  }
}

struct Promotion {
  ElementType type;
  bool safe;  ///< neither loses values nor is wider than both
};

/// Reals: f64 holds everything, f32 holds both halves, and the halves hold each other only in f32.
Promotion promote_reals(ElementType a, ElementType b) {
  if (a == b) return {a, true};
  for (const ElementType wide : {ElementType::f64, ElementType::f32})
    if (a == wide || b == wide) return {wide, true};
  return {ElementType::f32, false};
}

Promotion promote_integers(ElementType a, ElementType b, ElementType u64_target) {
  if (is_signed(a) == is_signed(b)) return {bit_width(a) >= bit_width(b) ? a : b, true};
  const ElementType with_sign = is_signed(a) ? a : b;
  const std::size_t unsigned_bits = bit_width(is_signed(a) ? b : a);
  if (bit_width(with_sign) > unsigned_bits) return {with_sign, true};
  const auto wider = integer_type(2 * unsigned_bits, true);
  return {wider.value_or(u64_target), false};
}

Promotion promote(ElementType a, ElementType b, ElementType u64_target) {
  if (a == b) return {a, true};
  if (a == ElementType::boolean) return {b, true};
  if (b == ElementType::boolean) return {a, true};
  if (is_real(a) && is_real(b)) return promote_reals(a, b);
  if (!is_real(a) && !is_real(b)) return promote_integers(a, b, u64_target);
  const ElementType real = is_real(a) ? a : b;
  return {real, bit_width(real) >= 2 * bit_width(is_real(a) ? b : a)};
}

/// What a scalar and a tensor of the same kind of numbers become: the tensor's type, or nothing where the rule does not
/// apply.
std::optional<ElementType> type_of_tensor(const TensorType& a, const TensorType& b) {
  const bool same_kind = (is_real(a.element_type) && is_real(b.element_type)) ||
                         (is_integral(a.element_type) && is_integral(b.element_type));
  if (!same_kind || !a.rank() || !b.rank() || (*a.rank() == 0) == (*b.rank() == 0)) return std::nullopt;
  return *a.rank() == 0 ? b.element_type : a.element_type;
}

}  // namespace

Expected<void> Convert::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  return infer_conversion(ctx, destination_type);
}
Expected<void> Convert::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(Tensor out, convert(ctx.input(0), destination_type));
  ctx.set_output(0, std::move(out));
  return {};
}

Expected<void> ConvertLike::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  return infer_conversion(ctx, ctx.input_element_type(1));
}
Expected<void> ConvertLike::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(Tensor out, convert(ctx.input(0), ctx.input(1).element_type()));
  ctx.set_output(0, std::move(out));
  return {};
}

Expected<void> ConvertPromoteTypes::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  const TensorType& a = ctx.input(0);
  const TensorType& b = ctx.input(1);
  const auto finish = [&](ElementType type) {
    ctx.output(0, type, a.shape);
    ctx.output(1, type, b.shape);
    return Expected<void>();
  };
  MO_TRY(expect_convertible(ctx, a.element_type, b.element_type));
  if (a.element_type == b.element_type) return finish(a.element_type);
  if (a.element_type == ElementType::dynamic || b.element_type == ElementType::dynamic)
    return finish(ElementType::dynamic);
  Promotion promotion = promote(a.element_type, b.element_type, u64_integer_promotion_target);
  if (pytorch_scalar_promotion) {
    if (const auto type = type_of_tensor(a, b))
      promotion = {*type, promotion.safe && *type == promotion.type};
    else if ((!a.rank() || !b.rank()) && is_real(a.element_type) == is_real(b.element_type))
      return finish(ElementType::dynamic);  // which one is the scalar decides
  }
  if (!promotion.safe && !promote_unsafe)
    return ctx
        .error("MO-OPS-0109", "{} and {} have no common type without widening or loss", to_string(a.element_type),
               to_string(b.element_type))
        .hint("convert one of them in the model, or set promote_unsafe to get {}", to_string(promotion.type));
  return finish(promotion.type);
}
Expected<void> ConvertPromoteTypes::evaluate(EvalContext& ctx) const {
  for (const std::size_t i : {0, 1}) {
    MO_ASSIGN(Tensor out, convert(ctx.input(i), ctx.output_type(0).element_type));
    ctx.set_output(i, std::move(out));
  }
  return {};
}

void register_convert(OpRegistry& registry) {
  registry.add<Convert>();
  registry.add<ConvertLike>();
  registry.add<ConvertPromoteTypes>();
}

}  // namespace mo::ops
