#include "ops/build/lengths.hpp"

#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/slice.hpp"

namespace mo::build {
namespace {

/// One element under another shape. What is computed stays so, although it may be known: shapes can be changed at run
/// time.
Value single_element(Rewriter& rw, const Value& x, const Shape& shape) {
  if (const auto* constant = x.node().as<Const>(); constant && constant->value.element_count() == 1)
    return rw.constant(constant->value.reshaped(shape));
  return rw.create(ops::Reshape{}, x, rw.integers(shape));
}

}  // namespace

Value rank_length(Rewriter& rw, const Value& x) {
  if (const auto rank = type_of(x).rank()) return rw.integers({*rank});
  return shape_of(rw, shape_of(rw, x));
}

Value length_along(Rewriter& rw, const Value& x, std::int64_t axis) {
  return rw.create(ops::Gather{}, shape_of(rw, x), rw.integers({axis}), rw.scalar<std::int64_t>(0));
}

Value join(Rewriter& rw, const std::vector<Value>& vectors) { return rw.create(ops::Concat{.axis = 0}, vectors); }

Value repeat(Rewriter& rw, const Value& number, const Value& count) {
  return rw.create(ops::Broadcast{}, number, count);
}

Value as_i64(Rewriter& rw, const Value& x) {
  return type_of(x).element_type == ElementType::i64 ? x : as_type(rw, x, ElementType::i64);
}

Value as_scalar(Rewriter& rw, const Value& x) { return single_element(rw, x, {}); }

Value as_length(Rewriter& rw, const Value& x) { return single_element(rw, x, {1}); }

Value slice_along(Rewriter& rw, const Value& x, std::int64_t axis, std::int64_t begin, std::int64_t end) {
  return rw.create(ops::Slice{}, x, rw.integers({begin}), rw.integers({end}), rw.integers({1}), rw.integers({axis}));
}

}  // namespace mo::build
