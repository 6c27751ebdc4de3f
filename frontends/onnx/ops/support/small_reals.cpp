#include "frontends/onnx/ops/support/small_reals.hpp"

#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/clamp.hpp"
#include "ops/comparison.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/select.hpp"

namespace mo::onnx {
namespace {

constexpr double kLargestF8e4m3 = 448;
constexpr double kLargestF8e5m2 = 57344;

/// Convert gives the nearest power of 2, and the even one of two: ONNX wants the next one above or below, or, of two
/// as near, the larger one.
Value power_of_two(Rewriter& rw, const Value& given, const std::string& round_mode) {
  const Value x = rw.create(ops::Abs{}, given);
  const Value nearest = as_type_of(rw, rw.create(ops::Convert{.destination_type = ElementType::f8e8m0}, x), x);
  const auto times = [&](double factor) {
    return rw.create(ops::Multiply{}, nearest, rw.scalar_like(nearest, factor));
  };
  if (round_mode == "down") return rw.create(ops::Select{}, rw.create(ops::Greater{}, nearest, x), times(0.5), nearest);
  const Value is_above =
      round_mode == "up" ? rw.create(ops::Less{}, nearest, x) : rw.create(ops::GreaterEqual{}, x, times(1.5));
  return rw.create(ops::Select{}, is_above, times(2), nearest);
}

}  // namespace

Expected<SmallRealRounding> small_real_rounding(const FrameworkNode& node, ElementType type) {
  SmallRealRounding rounding;
  if (type == ElementType::f8e4m3 || type == ElementType::f8e5m2)
    rounding.saturates = node.attr<std::int64_t>("saturate", 1) != 0;
  else
    node.ignore({"saturate"}, "it concerns results of FLOAT8E4M3FN and FLOAT8E5M2");
  if (type != ElementType::f8e8m0) {
    node.ignore({"round_mode"}, "it concerns results of FLOAT8E8M0");
    return rounding;
  }
  rounding.round_mode = node.attr<std::string>("round_mode", "up");
  if (rounding.round_mode != "up" && rounding.round_mode != "down" && rounding.round_mode != "nearest")
    return node.error("MO-ONNX-0486", "round_mode is \"{}\"", rounding.round_mode)
        .hint("known modes: up, down, nearest");
  return rounding;
}

Value as_small_real(Rewriter& rw, const Value& x, ElementType type, const SmallRealRounding& rounding) {
  Value real = is_real(x.type().element_type) ? x : as_type(rw, x, ElementType::f32);
  if (type == ElementType::f8e8m0) {
    real = power_of_two(rw, as_type(rw, real, ElementType::f32), rounding.round_mode);
  } else if (rounding.saturates && (type == ElementType::f8e4m3 || type == ElementType::f8e5m2)) {
    const double largest = type == ElementType::f8e4m3 ? kLargestF8e4m3 : kLargestF8e5m2;
    real = rw.create(ops::Clamp{.min = -largest, .max = largest}, real);
  }
  return rw.create(ops::Convert{.destination_type = type}, real);
}

}  // namespace mo::onnx
