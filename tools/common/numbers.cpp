#include "tools/common/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <random>

#include "core/graph/builtin_ops.hpp"
#include "core/tensor/convert.hpp"

namespace mo::tools {
namespace {

Expected<Tensor> random_tensor(const Parameter& declared, std::mt19937& random) {
  Shape shape;
  if (declared.shape.has_rank())
    for (const Dimension& dim : declared.shape) shape.push_back(dim.is_known() ? dim.value() : 2);
  std::size_t count = 1;
  for (const std::int64_t dim : shape) count *= static_cast<std::size_t>(dim);
  std::vector<double> numbers;
  numbers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double number = static_cast<double>(random() % 64) / 16.0;
    if (declared.element_type == ElementType::boolean)
      numbers.push_back(number < 2 ? 0 : 1);
    else
      numbers.push_back(is_real(declared.element_type) ? number - 2 : std::floor(number));
  }
  return from_reals(declared.element_type, shape, numbers);
}

}  // namespace

Expected<std::vector<Tensor>> random_inputs(const Graph& graph, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<Tensor> inputs;
  for (const Node& parameter : graph.parameters()) {
    MO_ASSIGN(Tensor input, random_tensor(*parameter.as<Parameter>(), random));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

std::optional<std::string> tensors_differ(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance) {
  if (actual.element_type() != expected.element_type())
    return fmt::format("{} instead of {}", to_string(actual.element_type()), to_string(expected.element_type()));
  if (actual.shape() != expected.shape()) return fmt::format("shape {} instead of {}", actual.shape(), expected.shape());
  const auto left = to_reals(actual);
  const auto right = to_reals(expected);
  if (!left || !right) return std::nullopt;  // strings
  const bool half = actual.element_type() == ElementType::f16 || actual.element_type() == ElementType::bf16;
  const double allowed = half ? tolerance.half : tolerance.real;
  double worst = 0;
  std::size_t place = 0;
  for (std::size_t i = 0; i < left->size(); ++i) {
    const double a = (*left)[i];
    const double e = (*right)[i];
    if (a == e || (std::isnan(a) && std::isnan(e))) continue;
    const double apart = std::abs(a - e) / (1 + std::abs(e));
    if (!(apart <= worst)) worst = apart, place = i;
  }
  if (worst <= allowed) return std::nullopt;
  return fmt::format("element {} is {} instead of {}", place, (*left)[place], (*right)[place]);
}

}  // namespace mo::tools
