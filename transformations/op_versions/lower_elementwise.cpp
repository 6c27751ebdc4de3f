#include <limits>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "ops/bitwise.hpp"
#include "ops/classification.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/logical.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/soft_sign.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// IsNaN(x) -> x != x.
RewriteRule is_nan() {
  const Pat x = any();
  return rewrite("IsNaNDecomposition").match(op<ops::IsNaN>(x)).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    return rw.create(ops::NotEqual{}, m[x], m[x]);
  });
}

/// IsFinite(x) -> |x| < infinity, which does not hold for NaN either.
RewriteRule is_finite() {
  const Pat x = any();
  return rewrite("IsFiniteDecomposition")
      .match(op<ops::IsFinite>(x))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        return rw.create(ops::Less{}, rw.create(ops::Abs{}, m[x]), rw.scalar_like(m[x], kInfinity));
      });
}

/// IsInf(x) -> |x| = infinity, or x = infinity, or x = -infinity; |x| < 0, which never holds, when it asks for neither.
RewriteRule is_inf() {
  const Pat x = any();
  const Pat root = op<ops::IsInf>(x);
  return rewrite("IsInfDecomposition").match(root).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    const auto& op = *m.node(root).as<ops::IsInf>();
    if (op.detect_negative == op.detect_positive) {
      const Value size = rw.create(ops::Abs{}, m[x]);
      if (op.detect_positive) return rw.create(ops::Equal{}, size, rw.scalar_like(m[x], kInfinity));
      return rw.create(ops::Less{}, size, rw.scalar_like(m[x], 0));
    }
    return rw.create(ops::Equal{}, m[x], rw.scalar_like(m[x], op.detect_positive ? kInfinity : -kInfinity));
  });
}

/// SoftSign(x) -> x / (1 + |x|).
RewriteRule soft_sign() {
  const Pat x = any();
  return rewrite("LoweredSoftSign").match(op<ops::SoftSign>(x)).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    return soft_sign_quotient(rw, m[x]);
  });
}

/// BitwiseAnd, BitwiseOr, BitwiseXor of booleans -> LogicalAnd, LogicalOr, LogicalXor.
template <OpLike Bits, OpLike Truth>
RewriteRule logical() {
  const Pat root = op<Bits>();
  return rewrite(std::string(Bits::row.id.type) + "OfBooleans")
      .match(root)
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        if (node.output_type().element_type != ElementType::boolean) return Replacement::declined();
        const auto& op = *node.as<Bits>();
        return rw.create(Truth{.auto_broadcast = op.auto_broadcast, .auto_broadcast_axis = op.auto_broadcast_axis},
                         node.input(0), node.input(1));
      });
}

/// 2^n as a bit pattern of up to 64 bits.
std::int64_t power_of_two(std::int64_t n) {
  return static_cast<std::int64_t>(std::uint64_t{1} << static_cast<unsigned>(n));
}

/// Numbers as digits of 4 bits.
constexpr std::int64_t kDigit = 16;

std::int64_t digit_of_bits(ops::BitwiseKind kind, std::int64_t a, std::int64_t b) {
  return kind == ops::BitwiseKind::and_ ? a & b : kind == ops::BitwiseKind::or_ ? a | b : a ^ b;
}

/// The function of all pairs of digits, at 16 a + b; of a signed type's `highest` digits, which are negative from 8 on.
Expected<Tensor> table_of_digits(ops::BitwiseKind kind, ElementType type, bool highest) {
  std::vector<std::int64_t> table;
  for (std::int64_t pair = 0; pair < kDigit * kDigit; ++pair) {
    const std::int64_t digit = digit_of_bits(kind, pair / kDigit, pair % kDigit);
    table.push_back(highest && is_signed(type) && digit >= kDigit / 2 ? digit - kDigit : digit);
  }
  return from_integers(ElementType::i32, {kDigit * kDigit}, table);
}

/// BitwiseAnd(a, b) -> the sum of table[16 * digit of a + digit of b] * 16^k over the digits k, in i32; BitwiseOr and
/// BitwiseXor with tables of their own. Only of numbers that f32 holds exactly: runtimes of these op sets divide
/// integers as reals.
template <OpLike Bits>
RewriteRule bits_by_digits() {
  return rewrite(std::string(Bits::row.id.type) + "ByDigits")
      .match(op<Bits>())
      .rule([](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const ElementType type = node.output_type().element_type;
        if (node.as<Bits>()->auto_broadcast == ops::AutoBroadcast::pdpd || !is_integral(type) || bit_width(type) < 8 ||
            bit_width(type) > 16)
          return Replacement::declined();
        const auto number = [&](std::int64_t value) { return rw.scalar(static_cast<std::int32_t>(value)); };
        const auto wide = [&](const Value& x) {
          return rw.fold(ops::Convert{.destination_type = ElementType::i32}, x);
        };
        const Value a = wide(node.input(0));
        const Value b = wide(node.input(1));
        const auto digits = static_cast<std::int64_t>(bit_width(type) / 4);
        const Value base = number(kDigit);
        Value sum;
        for (std::int64_t k = 0; k < digits; ++k) {
          const Value power = number(power_of_two(4 * k));
          const auto digit = [&](const Value& x) {
            // Both round down, so that the digits of a negative number are those of its bits.
            const Value rest = k == 0 ? x : rw.fold(ops::Divide{.m_pythondiv = true}, x, power);
            return rw.fold(ops::FloorMod{}, rest, base);
          };
          const Value pair = rw.create(ops::Add{}, rw.fold(ops::Multiply{}, digit(a), base), digit(b));
          MO_ASSIGN(Tensor table, table_of_digits(Bits::row.kind, type, k + 1 == digits));
          const Value found =
              rw.create(ops::v1::Gather{}, rw.constant(std::move(table)), pair, rw.scalar<std::int64_t>(0));
          const Value part = k == 0 ? found : rw.create(ops::Multiply{}, found, power);
          sum = sum ? rw.create(ops::Add{}, sum, part) : part;
        }
        return rw.create(ops::Convert{.destination_type = type}, sum);
      });
}

/// BitwiseNot(x) -> LogicalNot(x) for booleans; (all bits set) - x for integers, which never borrows.
RewriteRule bitwise_not() {
  const Pat x = any();
  return rewrite("BitwiseNotDecomposition")
      .match(op<ops::BitwiseNot>(x))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const ElementType type = m[x].type().element_type;
        if (type == ElementType::boolean) return rw.create(ops::LogicalNot{}, m[x]);
        if (!is_integral(type) || bit_width(type) < 8) return Replacement::declined();
        auto all = from_integers(type, {}, {-1});
        if (!all) return std::move(all).error();
        return rw.create(ops::Subtract{}, rw.constant(*std::move(all)), m[x]);
      });
}

/// The powers of two that a shift by `bits` multiplies with or divides by: of known numbers a constant, else looked up
/// in a table. Empty when one of them is not a positive number of the type (`positive`), or when a known number of bits
/// is outside of the type.
Value powers(Rewriter& rw, const Value& bits, ElementType type, bool positive) {
  const std::int64_t most = static_cast<std::int64_t>(bit_width(type)) - (positive && is_signed(type) ? 1 : 0);
  if (const auto known = integers_of(bits)) {
    const auto shape = bits.type().shape.to_shape();
    std::vector<std::int64_t> factors;
    for (const std::int64_t n : *known) {
      if (n < 0 || n >= most) return {};
      factors.push_back(power_of_two(n));
    }
    auto tensor = shape ? from_integers(type, *shape, factors) : Expected<Tensor>(Tensor());
    return tensor && !tensor->empty() ? rw.constant(*std::move(tensor)) : Value();
  }
  if (positive && is_signed(type)) return {};
  std::vector<std::int64_t> table;
  for (std::int64_t n = 0; n < most; ++n) table.push_back(power_of_two(n));
  auto tensor = from_integers(type, {most}, table);
  if (!tensor) return {};
  const Value places = rw.create(ops::Convert{.destination_type = ElementType::i64}, bits);
  return rw.create(ops::v1::Gather{}, rw.constant(*std::move(tensor)), places, rw.scalar<std::int64_t>(0));
}

/// BitwiseLeftShift(x, n) -> x * 2^n, BitwiseRightShift(x, n) -> x / 2^n rounded down, which is what an arithmetic
/// shift does.
template <OpLike Shift>
RewriteRule shift() {
  constexpr bool kLeft = Shift::row.kind == ops::BitwiseKind::left_shift;
  const Pat root = op<Shift>();
  return rewrite(std::string(Shift::row.id.type) + "Decomposition")
      .match(root)
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const auto& op = *node.as<Shift>();
        const ElementType type = node.output_type().element_type;
        if (!is_integral(type) || bit_width(type) < 8) return Replacement::declined();
        const Value factor = powers(rw, node.input(1), type, !kLeft);
        if (!factor) return Replacement::declined();
        if constexpr (kLeft)
          return rw.create(
              ops::Multiply{.auto_broadcast = op.auto_broadcast, .auto_broadcast_axis = op.auto_broadcast_axis},
              node.input(0), factor);
        else
          return rw.create(ops::Divide{.auto_broadcast = op.auto_broadcast,
                                       .auto_broadcast_axis = op.auto_broadcast_axis,
                                       .m_pythondiv = true},
                           node.input(0), factor);
      });
}

}  // namespace

/// Elementwise ops that the target does not read, said with older ones.
void register_lower_elementwise(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerElementwise")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .add(where_too_new(is_nan()))
                 .add(where_too_new(is_finite()))
                 .add(where_too_new(is_inf()))
                 .add(where_too_new(soft_sign()))
                 .add(where_too_new(logical<ops::BitwiseAnd, ops::LogicalAnd>()))
                 .add(where_too_new(logical<ops::BitwiseOr, ops::LogicalOr>()))
                 .add(where_too_new(logical<ops::BitwiseXor, ops::LogicalXor>()))
                 .add(where_too_new(bits_by_digits<ops::BitwiseAnd>()))
                 .add(where_too_new(bits_by_digits<ops::BitwiseOr>()))
                 .add(where_too_new(bits_by_digits<ops::BitwiseXor>()))
                 .add(where_too_new(bitwise_not()))
                 .add(where_too_new(shift<ops::BitwiseLeftShift>()))
                 .add(where_too_new(shift<ops::BitwiseRightShift>())));
}

}  // namespace mo::transformations
