#include "tools/common/numbers.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/graph/builtin_ops.hpp"
#include "core/tensor/convert.hpp"
#include "tools/common/input_ranges.hpp"

namespace mo::tools {
namespace {

Shape static_shape(const PartialShape& declared) {
  Shape shape;
  if (declared.has_rank())
    for (const Dimension& dim : declared) shape.push_back(dim.is_known() ? dim.value() : 2);
  return shape;
}

/// Of 64 steps from 0 on.
constexpr unsigned kSteps = 64;

double number_in(const InputRange& range, bool real, unsigned step) {
  const double width = range.most - range.least;
  if (real) return range.least + width * step / (kSteps - 1);
  return range.least + std::floor((width + 1) * step / kSteps);
}

Expected<Tensor> random_tensor(const Node& parameter, const Shape& shape, std::mt19937& random) {
  const ElementType type = parameter.as<Parameter>()->element_type;
  const InputRange usual =
      is_real(type) ? InputRange{-2, -2 + (kSteps - 1) / 16.0} : InputRange{0, type == ElementType::u8 ? 255.0 : 3.0};
  const bool has_regions = holds_regions(parameter);
  const InputRange range = has_regions ? usual : range_asked_of(parameter).value_or(usual);
  std::size_t count = 1;
  for (const std::int64_t dim : shape) count *= static_cast<std::size_t>(dim);
  std::vector<double> numbers;
  numbers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto step = static_cast<unsigned>(random() % kSteps);
    // the first one, which every batch has
    const bool is_image = has_regions && i % static_cast<std::size_t>(shape.back()) == 0;
    numbers.push_back(is_image                       ? 0
                      : type == ElementType::boolean ? (step < kSteps / 2 ? 0 : 1)
                                                     : number_in(range, is_real(type), step));
  }
  return from_reals(type, shape, numbers);
}

using Difference = std::optional<std::string>;

bool close(double actual, double expected, const Tolerance& tolerance) {
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) && std::isnan(actual);
  if (std::isinf(expected) || std::isinf(actual)) return expected == actual;
  return std::abs(actual - expected) <= tolerance.absolute + tolerance.relative * std::abs(expected);
}

template <class T, class Same>
Difference first_difference(const T& actual, const T& expected, const Same& same) {
  std::size_t count = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!same(actual[i], expected[i]) && count++ == 0) first = i;
  if (count == 0) return std::nullopt;
  return fmt::format("{} of {} elements differ, the first is element {}: {}, wanted {}", count, expected.size(), first,
                     actual[first], expected[first]);
}

}  // namespace

Expected<std::vector<Tensor>> random_inputs(const Graph& graph, unsigned seed, const std::vector<Shape>& shapes) {
  std::mt19937 random(seed);
  std::vector<Tensor> inputs;
  for (const Node& parameter : graph.parameters()) {
    const Shape shape =
        inputs.size() < shapes.size() ? shapes[inputs.size()] : static_shape(parameter.as<Parameter>()->shape);
    MO_ASSIGN(Tensor input, random_tensor(parameter, shape, random));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

Tolerance rounding_of(ElementType type) {
  const bool half = type == ElementType::f16 || type == ElementType::bf16;
  return half ? Tolerance{.relative = 2e-2, .absolute = 2e-2} : Tolerance{.relative = 2e-4, .absolute = 2e-4};
}

Expected<std::optional<std::string>> tensors_differ(const Tensor& actual, const Tensor& expected,
                                                    const Tolerance& tolerance) {
  if (actual.element_type() != expected.element_type() || actual.shape() != expected.shape())
    return Difference(fmt::format("{}, wanted {}", actual.type().to_string(), expected.type().to_string()));
  if (expected.element_type() == ElementType::string) {
    MO_ASSIGN(const auto a, to_strings(actual));
    MO_ASSIGN(const auto b, to_strings(expected));
    return first_difference(a, b, std::equal_to<std::string>());
  }
  if (is_real(expected.element_type())) {
    MO_ASSIGN(const auto a, to_reals(actual));
    MO_ASSIGN(const auto b, to_reals(expected));
    return first_difference(a, b, [&](double x, double y) { return close(x, y, tolerance); });
  }
  MO_ASSIGN(const auto a, to_integers(actual));
  MO_ASSIGN(const auto b, to_integers(expected));
  return first_difference(a, b, std::equal_to<std::int64_t>());
}

}  // namespace mo::tools
