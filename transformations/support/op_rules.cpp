#include "transformations/support/op_rules.hpp"

#include "ops/reshape.hpp"
#include "ops/transpose.hpp"

namespace mo::transformations {

Value one_number_for(Rewriter& rw, const Value& data, double number) {
  const auto rank = data.type().rank();
  if (!rank || *rank == 0) return rw.scalar_like(data, number);
  auto tensor = from_reals(data.type().element_type, {1}, {number});
  return tensor ? rw.constant(*std::move(tensor)) : rw.scalar_like(data, number);
}

Value reshaped_to(Rewriter& rw, const Value& data, const std::vector<std::int64_t>& shape, bool special_zero) {
  return rw.create(ops::Reshape{.special_zero = special_zero}, data, rw.integers(shape));
}

Value transposed_by(Rewriter& rw, const Value& data, const std::vector<std::int64_t>& order) {
  return rw.create(ops::Transpose{}, data, rw.integers(order));
}

}  // namespace mo::transformations
