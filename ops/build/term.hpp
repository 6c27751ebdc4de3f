#pragma once

#include <functional>
#include <vector>

#include "core/tensor/convert.hpp"
#include "ops/build/lengths.hpp"
#include "ops/clamp.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/logical.hpp"
#include "ops/range.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/select.hpp"
#include "ops/unsqueeze.hpp"

/// Arithmetic, written as it is read: `(x - mean) * factor + mean`.
namespace mo::build {

/// A tensor to calculate with, and its element type as far as it is known. A number beside it becomes a constant of
/// that type.
class Term {
 public:
  Term(Rewriter& rw, const Value& value, ElementType type) : rw_(&rw), value_(value), type_(type) {}

  Rewriter& rewriter() const { return *rw_; }
  const Value& value() const { return value_; }
  operator const Value&() const { return value_; }  // NOLINT: implicit on purpose
  ElementType type() const { return type_; }

  Term number(double number) const {
    if (type_ != ElementType::dynamic)
      if (auto tensor = from_reals(type_, {}, {number})) return {*rw_, rw_->constant(*std::move(tensor)), type_};
    return {*rw_, number_like(*rw_, value_, number), type_};
  }
  Term as(ElementType type) const {
    return type == type_ ? *this : Term(*rw_, rw_->create(ops::Convert{.destination_type = type}, value_), type);
  }
  /// op(this)
  Term apply(Op op) const { return {*rw_, rw_->create(std::move(op), value_), type_}; }
  /// op(this, other), of the same element type.
  Term apply(Op op, const Value& other) const { return {*rw_, rw_->create(std::move(op), value_, other), type_}; }
  /// op(this, other), a boolean.
  Term test(Op op, const Value& other) const {
    return {*rw_, rw_->create(std::move(op), value_, other), ElementType::boolean};
  }

  Term unsqueezed(const std::vector<std::int64_t>& axes) const { return apply(ops::Unsqueeze{}, rw_->integers(axes)); }
  Term reshaped(const std::vector<std::int64_t>& shape) const { return apply(ops::Reshape{}, rw_->integers(shape)); }

 private:
  Rewriter* rw_;
  Value value_;
  ElementType type_;
};

/// A Parameter of the body that `rw` builds, every dimension of it unknown.
inline Term body_parameter(Rewriter& rw, std::string_view name, ElementType type, std::size_t rank) {
  return {rw, rw.graph().create_parameter({type, PartialShape(std::vector<Dimension>(rank))}, name).output(), type};
}

inline Term operator+(const Term& a, const Term& b) { return a.apply(ops::Add{}, b); }
inline Term operator-(const Term& a, const Term& b) { return a.apply(ops::Subtract{}, b); }
inline Term operator*(const Term& a, const Term& b) { return a.apply(ops::Multiply{}, b); }
inline Term operator/(const Term& a, const Term& b) { return a.apply(ops::Divide{}, b); }
inline Term operator+(const Term& a, double b) { return a + a.number(b); }
inline Term operator-(const Term& a, double b) { return a - a.number(b); }
inline Term operator*(const Term& a, double b) { return a * a.number(b); }
inline Term operator/(const Term& a, double b) { return a / a.number(b); }
inline Term operator-(double a, const Term& b) { return b.number(a) - b; }
inline Term operator/(double a, const Term& b) { return b.number(a) / b; }

inline Term larger(const Term& a, const Term& b) { return a.apply(ops::Maximum{}, b); }
inline Term larger(const Term& a, double b) { return larger(a, a.number(b)); }
inline Term smaller(const Term& a, const Term& b) { return a.apply(ops::Minimum{}, b); }
inline Term smaller(const Term& a, double b) { return smaller(a, a.number(b)); }
inline Term absolute(const Term& a) { return a.apply(ops::Abs{}); }
inline Term floored(const Term& a) { return a.apply(ops::Floor{}); }

inline Term equal(const Term& a, const Term& b) { return a.test(ops::Equal{}, b); }
inline Term equal(const Term& a, double b) { return equal(a, a.number(b)); }
inline Term less(const Term& a, const Term& b) { return a.test(ops::Less{}, b); }
inline Term less(const Term& a, double b) { return less(a, a.number(b)); }
inline Term less_equal(const Term& a, const Term& b) { return a.test(ops::LessEqual{}, b); }
inline Term less_equal(const Term& a, double b) { return less_equal(a, a.number(b)); }
inline Term greater(const Term& a, double b) { return a.test(ops::Greater{}, a.number(b)); }
inline Term greater_equal(const Term& a, const Term& b) { return a.test(ops::GreaterEqual{}, b); }
inline Term greater_equal(const Term& a, double b) { return greater_equal(a, a.number(b)); }
inline Term both(const Term& a, const Term& b) { return a.test(ops::LogicalAnd{}, b); }

/// A tensor to calculate with, of its own element type.
inline Term term(Rewriter& rw, const Value& value) { return {rw, value, type_of(value).element_type}; }

/// Where `condition` holds `yes`, elsewhere `no`.
inline Term choose(const Term& condition, const Term& yes, const Term& no) {
  Rewriter& rw = condition.rewriter();
  return {rw, rw.create(ops::Select{}, condition.value(), yes.value(), no.value()), yes.type()};
}
inline Term choose(const Term& condition, const Term& yes, double no) { return choose(condition, yes, yes.number(no)); }

template <ops::ReduceKind kind>
Term reduced(const Term& x, const std::vector<std::int64_t>& axes, bool keep_dims) {
  return x.apply(ops::Reduction<kind>{.keep_dims = keep_dims}, x.rewriter().integers(axes));
}

/// 0, 1 … count - 1 as `type`; `count` is a scalar.
inline Term count_up(Rewriter& rw, const Value& count, ElementType type) {
  const Value zero = rw.scalar<std::int64_t>(0);
  const Value one = rw.scalar<std::int64_t>(1);
  return Term(rw, rw.create(ops::Range{.output_type = ElementType::i64}, zero, count, one), ElementType::i64).as(type);
}

/// The only element of `x`, an i64 scalar.
inline Value integer_of(Rewriter& rw, const Value& x) {
  if (const auto known = constant_integers_of(x); known && known->size() == 1)
    return rw.scalar<std::int64_t>(known->front());
  return as_scalar(rw, as_i64(rw, x));
}
/// Element `i` of a vector, an i64 scalar.
inline Value integer_at(Rewriter& rw, const Value& vector, std::int64_t i) {
  if (const auto known = constant_integers_of(vector); known && i < static_cast<std::int64_t>(known->size()))
    return rw.scalar<std::int64_t>((*known)[static_cast<std::size_t>(i)]);
  return as_scalar(rw, slice_along(rw, as_i64(rw, vector), 0, i, i + 1));
}
/// Column `i` of a matrix.
inline Value column_of(Rewriter& rw, const Value& matrix, std::int64_t i) {
  return rw.create(ops::Gather{}, matrix, rw.scalar<std::int64_t>(i), rw.scalar<std::int64_t>(1));
}

}  // namespace mo::build
