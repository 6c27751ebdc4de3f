#include "frontends/tensorflow/ops/support/complex_numbers.hpp"

#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"

namespace mo::tensorflow {
namespace {

/// The parts keep their dimension with size 1, so that they broadcast as the numbers do.
struct ComplexParts {
  Value real;
  Value imaginary;
};

ComplexParts parts_of(Rewriter& rw, const Value& x) {
  const auto part = [&](std::int64_t i) { return rw.create(ops::Gather{}, x, rw.integers({i}), rw.scalar<std::int64_t>(-1)); };
  return {part(0), part(1)};
}

Value joined_parts(Rewriter& rw, const Value& real, const Value& imaginary) { return rw.create(ops::Concat{.axis = -1}, real, imaginary); }

}  // namespace

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
  const Value length = rw.create(ops::Add{}, times(y.real, y.real), times(y.imaginary, y.imaginary));
  const Value numerator = joined_parts(rw, rw.create(ops::Add{}, times(x.real, y.real), times(x.imaginary, y.imaginary)),
                                       rw.create(ops::Subtract{}, times(x.imaginary, y.real), times(x.real, y.imaginary)));
  return rw.create(ops::Divide{}, numerator, length);
}

}  // namespace mo::tensorflow
