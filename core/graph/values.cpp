#include "core/graph/values.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"

namespace mo {
namespace {

const Tensor* known(const Value& value, std::int64_t most) {
  const Tensor* tensor = value ? value.data().value() : nullptr;
  return tensor && tensor->element_count() <= most ? tensor : nullptr;
}

}  // namespace

const TensorType& type_of(const Value& value) {
  static const TensorType unknown;
  return value ? value.type() : unknown;
}

bool has_one_element(const Value& value) { return type_of(value).shape.element_count() == 1; }

std::optional<std::vector<std::int64_t>> integers_of(const Value& value, std::int64_t most) {
  const Tensor* tensor = known(value, most);
  if (!tensor) return std::nullopt;
  auto numbers = to_integers(*tensor);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

std::optional<std::vector<double>> reals_of(const Value& value, std::int64_t most) {
  const Tensor* tensor = known(value, most);
  if (!tensor) return std::nullopt;
  auto numbers = to_reals(*tensor);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

std::optional<std::int64_t> single_integer_of(const Value& value) {
  const auto numbers = integers_of(value, 1);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

std::optional<double> single_real_of(const Value& value) {
  const auto numbers = reals_of(value, 1);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

bool none_negative(const std::optional<std::vector<std::int64_t>>& numbers) {
  return numbers && std::none_of(numbers->begin(), numbers->end(), [](std::int64_t v) { return v < 0; });
}

}  // namespace mo
