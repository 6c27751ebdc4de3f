#include "frontends/tensorflow/ops/support/complex_numbers.hpp"

#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"

namespace mo::tensorflow {
namespace {

/// The parts keep their dimension with size 1, so that they broadcast as the numbers do.
struct ComplexParts {
  Value real;
  Value imaginary;
};

ComplexParts parts_of(Rewriter& rw, const Value& x) {
  const auto part = [&](std::int64_t i) {
    return rw.create(ops::Gather{}, x, rw.integers({i}), rw.scalar<std::int64_t>(-1));
  };
  return {part(0), part(1)};
}

Value joined_parts(Rewriter& rw, const Value& real, const Value& imaginary) {
  return rw.create(ops::Concat{.axis = -1}, real, imaginary);
}

/// cc + dd of c + di
Value squared_length(Rewriter& rw, const ComplexParts& x) {
  return rw.create(ops::Add{}, rw.create(ops::Multiply{}, x.real, x.real),
                   rw.create(ops::Multiply{}, x.imaginary, x.imaginary));
}

}  // namespace

ElementType part_type(const FrameworkNode& node, std::string_view name) {
  return node.attr(name, "") == "DT_COMPLEX128" ? ElementType::f64 : ElementType::f32;
}

Value complex_of_real(Rewriter& rw, const Value& x) {
  const Value real = rw.create(ops::Unsqueeze{}, x, rw.integers({-1}));
  return joined_parts(rw, real, rw.create(ops::Broadcast{}, number_like(rw, x, 0), shape_of(rw, real)));
}

Value part_of_complex(Rewriter& rw, const Value& x, std::int64_t i) {
  return rw.create(ops::Gather{}, x, rw.scalar<std::int64_t>(i), rw.scalar<std::int64_t>(-1));
}

/// (a + bi)(c + di) -> (ac - bd) + (ad + bc)i
Value complex_product(Rewriter& rw, const Value& first, const Value& second) {
  const ComplexParts x = parts_of(rw, first);
  const ComplexParts y = second == first ? x : parts_of(rw, second);
  const auto times = [&](const Value& a, const Value& b) { return rw.create(ops::Multiply{}, a, b); };
  const Value real = rw.create(ops::Subtract{}, times(x.real, y.real), times(x.imaginary, y.imaginary));
  return joined_parts(rw, real, rw.create(ops::Add{}, times(x.real, y.imaginary), times(x.imaginary, y.real)));
}

/// (a + bi) / (c + di) -> ((ac + bd) + (bc - ad)i) / (cc + dd)
Value complex_quotient(Rewriter& rw, const Value& first, const Value& second) {
  const ComplexParts x = parts_of(rw, first);
  const ComplexParts y = parts_of(rw, second);
  const auto times = [&](const Value& a, const Value& b) { return rw.create(ops::Multiply{}, a, b); };
  const Value numerator =
      joined_parts(rw, rw.create(ops::Add{}, times(x.real, y.real), times(x.imaginary, y.imaginary)),
                   rw.create(ops::Subtract{}, times(x.imaginary, y.real), times(x.real, y.imaginary)));
  return rw.create(ops::Divide{}, numerator, squared_length(rw, y));
}

Value complex_quotient_or_zero(Rewriter& rw, const Value& first, const Value& second) {
  const ComplexParts y = parts_of(rw, second);
  const Term quotient = term(rw, complex_quotient(rw, first, second));
  const Value is_zero =
      rw.create(ops::LogicalAnd{}, equal(term(rw, y.real), 0).value(), equal(term(rw, y.imaginary), 0).value());
  return choose(term(rw, is_zero), quotient.number(0), quotient).value();
}

/// 1 / (c + di) -> (c - di) / (cc + dd)
Value complex_reciprocal(Rewriter& rw, const Value& x) {
  const ComplexParts parts = parts_of(rw, x);
  const Value conjugate = joined_parts(rw, parts.real, rw.create(ops::Negative{}, parts.imaginary));
  return rw.create(ops::Divide{}, conjugate, squared_length(rw, parts));
}

/// exp(a + bi) -> exp(a) (cos(b) + sin(b)i)
Value complex_exp(Rewriter& rw, const Value& x) {
  const ComplexParts parts = parts_of(rw, x);
  const Value direction =
      joined_parts(rw, rw.create(ops::Cos{}, parts.imaginary), rw.create(ops::Sin{}, parts.imaginary));
  return rw.create(ops::Multiply{}, rw.create(ops::Exp{}, parts.real), direction);
}

}  // namespace mo::tensorflow
