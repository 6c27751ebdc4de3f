#include <algorithm>

#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "core/tensor/convert.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "transformations/support/dequantization.hpp"

namespace mo::transformations {
namespace {

/// Half types, types of less than a byte and booleans are left to the runtimes.
bool is_handled(ElementType type) {
  return is_real(type) ? bit_width(type) >= 32 : is_integral(type) && bit_width(type) >= 8;
}

bool all_are(const Tensor& tensor, double number) {
  if (!is_handled(tensor.element_type())) return false;
  const auto numbers = to_reals(tensor);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [=](double v) { return v == number; });
}

/// Broadcasting against `constant` leaves the shape of the data as it is.
bool keeps_shape(const PartialShape& data, const Shape& constant) {
  if (constant.empty()) return true;
  if (!data.has_rank() || constant.size() > data.size()) return false;
  const std::size_t before = data.size() - constant.size();
  for (std::size_t i = 0; i < constant.size(); ++i)
    if (constant[i] != 1 && !data[before + i].same_value(constant[i])) return false;
  return true;
}

bool is_conversion_of_quantized(const Value& value) {
  const Node node = value.node();
  return node.is<ops::Convert>() && is_integral(node.input_type(0).element_type) &&
         bit_width(node.input_type(0).element_type) <= 8;
}

/// The Multiply of Convert -> (Subtract) -> Multiply of quantized numbers stays: low precision looks for it. It does
/// not need a zero point of 0.
bool is_dequantization(const Node& node, const Value& data) {
  if (!node.is<ops::Multiply>()) return false;
  return is_conversion_of_quantized(data) ||
         (data.node().is<ops::Subtract>() && is_conversion_of_quantized(data.node().input(0)));
}

}  // namespace

void register_eliminate_eltwise(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat number = constant();
  passes.offer(
      rewrite("EliminateEltwise")
          .described("x + 0, x - 0, x * 1, x / 1", "x",
                     "all elements of the constant are equal, and it neither adds dimensions to x nor stretches it; "
                     "f32, f64 and integers of 8 "
                     "bits and more; not the scale of a dequantization")
          .match(any_of(any_op<ops::Add, ops::Multiply>(x, number), any_op<ops::Subtract, ops::Divide>(x, number)))
          .replace([=](const Match& m, Rewriter&) -> Replacement {
            const Node node = m.root().node();
            const Tensor& tensor = m.node(number).as<Const>()->value;
            const bool sum = node.is<ops::Add>() || node.is<ops::Subtract>();
            if (!all_are(tensor, sum ? 0 : 1)) return declined("the constant changes values");
            if (!keeps_shape(m[x].type().shape, tensor.shape())) return declined("the constant may change the shape");
            if (is_dequantization(node, m[x])) return declined("it belongs to a dequantization");
            return bypass(node, m[x]);
          }));
}

}  // namespace mo::transformations
