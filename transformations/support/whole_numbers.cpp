#include "transformations/support/whole_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/tensor/convert.hpp"
#include "ops/activations.hpp"
#include "ops/clamp.hpp"
#include "ops/compressed_weights.hpp"
#include "ops/convert.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/mat_mul.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::transformations {
namespace {

template <class... T>
bool is_any(const Node& node) {
  return (node.is<T>() || ...);
}

bool is_whole_number(double v) { return std::nearbyint(v) == v; }

bool has_whole_elements(const Tensor& tensor) {
  constexpr std::int64_t kMost = 1 << 16;
  if (tensor.element_count() > kMost) return false;
  const auto numbers = to_reals(tensor);
  return numbers && std::all_of(numbers->begin(), numbers->end(), is_whole_number);
}

/// How many inputs of an op must be whole for its result to be; 0: it never is for certain.
std::size_t operands(const Node& node) {
  if (is_any<ops::Convolution, ops::GroupConvolution, ops::ConvolutionBackpropData, ops::GroupConvolutionBackpropData,
             ops::MatMul>(node))
    return 2;
  if (is_any<ops::Add, ops::Subtract, ops::Multiply, ops::Maximum, ops::Minimum, ops::CompressedWeights>(node))
    return 2;
  if (is_any<ops::Convert, ops::ReLU, ops::Negative, ops::Abs, ops::ReduceSum>(node)) return 1;
  if (is_any<ops::Reshape, ops::Transpose, ops::Unsqueeze, ops::Squeeze, ops::v15::Squeeze>(node)) return 1;
  const auto* clamp = node.as<ops::Clamp>();
  return clamp && is_whole_number(clamp->min) && is_whole_number(clamp->max) ? 1 : 0;
}

}  // namespace

bool is_whole(const Value& value) {
  std::vector<Value> open = {value};
  for (int budget = 64; !open.empty(); --budget) {
    const Value at = open.back();
    open.pop_back();
    if (budget == 0 || !at) return false;
    const Node node = at.node();
    if (is_integral(at.type().element_type) || is_any<ops::Round, ops::Floor, ops::Ceiling>(node)) continue;
    if (const auto* constant = node.as<Const>()) {
      if (!has_whole_elements(constant->value)) return false;
      continue;
    }
    const std::size_t count = operands(node);
    if (count == 0) return false;
    // The data come last, so that they are looked at first: mostly they are real numbers.
    for (std::size_t i = count; i-- > 0;) open.push_back(node.input(i));
  }
  return true;
}

bool is_rounded(const Value& value) {
  const std::vector<InPort> readers = value.get_destinations();
  return std::any_of(readers.begin(), readers.end(), [](const InPort& port) {
    const auto* convert = port.node().as<ops::Convert>();
    return convert ? is_integral(convert->destination_type) : is_any<ops::Round, ops::Floor, ops::Ceiling>(port.node());
  });
}

}  // namespace mo::transformations
