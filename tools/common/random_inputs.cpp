#include "tools/common/random_inputs.hpp"

#include <cmath>
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
  const InputRange usual = holds_reals(type) ? InputRange{-2, -2 + (kSteps - 1) / 16.0}
                                             : InputRange{0, type == ElementType::u8 ? 255.0 : 3.0};
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
                                                     : number_in(range, holds_reals(type), step));
  }
  return from_reals(type, shape, numbers);
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

}  // namespace mo::tools
