#include "transformations/quantization/support/quantization.hpp"

#include <algorithm>

namespace mo::transformations {

std::optional<Multiplier> multiplier_of(Rewriter& rw, const Value& constant, std::size_t rank) {
  const auto numbers = constant_reals_of(constant);
  if (!numbers || numbers->empty()) return std::nullopt;
  if (numbers->size() == 1) return Multiplier{constant, true};
  if (std::all_of(numbers->begin(), numbers->end(), [&](double v) { return v == numbers->front(); }))
    return Multiplier{reals_like(rw, constant, {1}, {numbers->front()}), true};
  Shape shape = shape_of_constant(constant);
  if (shape.size() < rank) {
    shape.insert(shape.begin(), rank - shape.size(), 1);
    return Multiplier{reshaped(rw, constant, shape), false};
  }
  return Multiplier{constant, false};
}

bool broadcasts_to(const Value& limits, const Value& data) {
  const auto shape = limits.type().shape.to_shape();
  return shape && !is_stretched_by(data.type().shape, *shape);
}

bool is_read_by(const Value& value, bool (*is)(const Node&)) {
  const std::vector<InPort> readers = value.get_destinations();
  return std::any_of(readers.begin(), readers.end(), [&](const InPort& port) { return is(port.node()); });
}

}  // namespace mo::transformations
