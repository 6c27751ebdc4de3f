#include <algorithm>
#include <cmath>

#include "extensions/support/front_shapes.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::front::onnx {
namespace {

/// a op b op c …
template <class T>
Replacement chain(const Node& node, Rewriter& rw) {
  Value all = node.input(0);
  for (std::size_t i = 1; i < node.in_port_count() && all; ++i) all = node.input(i) ? rw.create(T{}, all, node.input(i)) : Value();
  if (!all) return missing_input(node);
  return all;
}

/// Small whole numbers from 0 on are the same in every element type.
bool is_whole(const Value& exponent) {
  const auto numbers = known_reals(exponent);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](double v) { return v == std::trunc(v) && v >= 0 && v <= 64; });
}

/// ONNX Pow-12: x ^ y in the type that holds both, then back to that of x.
Value power(const Node& node, Rewriter& rw) {
  const Value base = node.input(0);
  const Value exponent = node.input(1);
  const ElementType base_type = known_element_type(base);
  if (base_type != ElementType::dynamic && base_type == known_element_type(exponent)) return rw.create(ops::Power{}, base, exponent);
  if (is_whole(exponent) || (is_real(base_type) && known_constant(exponent))) {
    return rw.create(ops::Power{}, base, as_type_of(rw, exponent, base));
  }
  const Node both = rw.create_node(ops::ConvertPromoteTypes{.promote_unsafe = true}, {base, exponent}, 2);
  return rw.create(ops::ConvertLike{}, rw.create(ops::Power{}, both.output(0), both.output(1)), base);
}

}  // namespace

void register_elementwise(PassRegistry& passes) {
  passes.add(front_replacement_op("OnnxIdentity").replace_op([](const Node& node, Rewriter&) -> Replacement {
    if (!node.input(0)) return missing_input(node);
    return node.input(0);
  }));
  // Reciprocal(x) -> 1 / x
  passes.add(front_replacement_op("OnnxReciprocal").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    const Value x = node.input(0);
    if (!x) return missing_input(node);
    return rw.create(ops::Divide{}, number_like(rw, x, 1), x);
  }));
  passes.add(front_replacement_op("OnnxPow").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    if (!node.input(0) || !node.input(1)) return missing_input(node);
    return power(node, rw);
  }));
  passes.add(front_replacement_op("OnnxVariadicMax").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    return chain<ops::Maximum>(node, rw);
  }));
  passes.add(front_replacement_op("OnnxVariadicMin").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    return chain<ops::Minimum>(node, rw);
  }));
  passes.add(
      front_replacement_op("OnnxVariadicSum").replace_op([](const Node& node, Rewriter& rw) -> Replacement { return chain<ops::Add>(node, rw); }));
  // Mean(a, b, c) -> (a + b + c) / 3
  passes.add(front_replacement_op("OnnxVariadicMean").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    Replacement sum = chain<ops::Add>(node, rw);
    if (sum.error() || node.in_port_count() < 2) return sum;
    return rw.create(ops::Divide{}, sum.outputs().front(), number_like(rw, node.input(0), static_cast<double>(node.in_port_count())));
  }));
}

}  // namespace mo::front::onnx
