#include "ops/build/non_negative.hpp"

#include <algorithm>

#include "ops/activations.hpp"
#include "ops/clamp.hpp"
#include "ops/convert.hpp"
#include "ops/cum_sum.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/non_zero.hpp"
#include "ops/range.hpp"
#include "ops/reduce.hpp"
#include "ops/shape_of.hpp"
#include "ops/top_k.hpp"

namespace mo::build {
namespace {

constexpr int kMostSteps = 256;  // nodes that are looked at
constexpr int kMostDepth = 64;

bool search(const Value& value, int depth, int& steps);

/// Every input whose bit is set in `inputs`.
bool inputs_are(const Node& node, std::uint32_t inputs, int depth, int& steps) {
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if ((i >= 32 ? inputs == ~0U : (inputs >> i & 1) != 0) && node.input(i) && !search(node.input(i), depth, steps))
      return false;
  return true;
}

template <class... T>
bool is_any(const Node& node) {
  return (node.is<T>() || ...);
}

bool search(const Value& value, int depth, int& steps) {
  if (!value || depth > kMostDepth || ++steps > kMostSteps) return false;
  const ElementType type = value.type().element_type;
  if (type == ElementType::boolean || (is_integral(type) && !is_signed(type))) return true;
  if (const auto numbers = integers_of(value)) return none_negative(numbers);
  if (const auto numbers = reals_of(value))
    return std::all_of(numbers->begin(), numbers->end(), [](double n) { return n >= 0; });
  const Node node = value.node();
  if (node.op_type().traits.shape_of) return true;
  if (const std::uint32_t moved = node.op_type().traits.moves_elements; moved != 0)
    return inputs_are(node, moved, depth + 1, steps);
  if (is_any<ops::Abs, ops::Exp, ops::ReLU, ops::Sigmoid, ops::Sqrt, ops::ReduceL1, ops::ReduceL2,
             ops::SquaredDifference, ops::NonZero>(node))
    return true;
  if (const auto* clamp = node.as<ops::Clamp>()) return clamp->min >= 0 || search(node.input(0), depth + 1, steps);
  if (node.is<ops::Maximum>())
    return search(node.input(0), depth + 1, steps) || search(node.input(1), depth + 1, steps);
  if (node.is<ops::Multiply>() && node.input(0) == node.input(1)) return true;
  if (is_any<ops::Add, ops::Divide, ops::Minimum, ops::Multiply>(node)) return inputs_are(node, 0b11, depth + 1, steps);
  if (node.is<ops::FloorMod>()) return search(node.input(1), depth + 1, steps);  // the sign of the divisor
  if (node.is<ops::Range>() && node.in_port_count() == 3) return inputs_are(node, 0b101, depth + 1, steps);
  if (node.is<ops::TopK>() || node.is<ops::v1::TopK>() || node.is<ops::v3::TopK>())
    return value.index() == 1 || search(node.input(0), depth + 1, steps);
  if (is_any<ops::Ceiling, ops::Convert, ops::CumSum, ops::Floor, ops::Mod, ops::Power, ops::ReduceMax, ops::ReduceMean,
             ops::ReduceMin, ops::ReduceProd, ops::ReduceSum, ops::Round>(node))
    return search(node.input(0), depth + 1, steps);
  return false;
}

}  // namespace

bool is_not_negative(const Value& value) {
  int steps = 0;
  return search(value, 0, steps);
}

}  // namespace mo::build
