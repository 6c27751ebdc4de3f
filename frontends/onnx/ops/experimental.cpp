#include <limits>

#include "core/tensor/convert.hpp"
#include "frontends/onnx/ops/support/data_type_attribute.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/slice.hpp"

namespace mo::onnx {
namespace {

Value times_factor(Rewriter& rw, const Value& x, double factor) {
  return factor == 1 ? x : rw.create(ops::Multiply{}, x, number_like(rw, x, factor));
}

/// Affine(x) -> alpha * x + beta
Replacement affine(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Value product = times_factor(rw, node.input(0), node.attr("alpha", 1.0));
  const auto beta = node.attr("beta", 0.0);
  return beta == 0 ? product : rw.create(ops::Add{}, product, number_like(rw, product, beta));
}

/// ImageScaler(x) -> scale * x + bias of the channel; x is [N, C, H, W]
Replacement image_scaler(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const auto bias = node.attr("bias", std::vector<double>());
  const Value product = times_factor(rw, node.input(0), node.attr("scale", 1.0));
  if (bias.empty()) return product;
  MO_ASSIGN(const Tensor channels,
            from_reals(ElementType::f32, {1, static_cast<std::int64_t>(bias.size()), 1, 1}, bias));
  return rw.create(ops::Add{}, product, as_type_of(rw, rw.constant(channels), product));
}

/// Crop(x), x is [N, C, H, W]; `border` is left, top, right, bottom; with `scale` (height, width) the left and top
/// borders say where it starts.
Replacement crop(const FrameworkNode& node, Rewriter& rw) {
  using Integers = std::vector<std::int64_t>;
  MO_TRY(node.expect_inputs(1));
  const auto border = node.attr("border", Integers());
  const auto scale = node.attr("scale", Integers());
  const auto bad = [](std::int64_t v) { return v < 0 || v > (std::int64_t{1} << 40); };
  for (const auto& numbers : {border, scale})
    for (const std::int64_t number : numbers)
      if (bad(number))
        return node.error("MO-ONNX-0222", "a border or length is {}", number)
            .hint("borders and lengths are not negative");
  if (border.size() != 4 || (!scale.empty() && scale.size() != 2))
    return node.error("MO-ONNX-0222", "border has {} values and scale {}", border.size(), scale.size())
        .hint("border is left, top, right, bottom; scale is height, width");
  const Integers starts = {border[1], border[0]};
  const auto behind = [](std::int64_t dropped) {
    return dropped == 0 ? std::numeric_limits<std::int64_t>::max() : -dropped;
  };
  const Integers ends = scale.empty() ? Integers{behind(border[3]), behind(border[2])}
                                      : Integers{starts[0] + scale[0], starts[1] + scale[1]};
  return rw.create(ops::Slice{}, node.input(0), rw.integers(starts), rw.integers(ends), rw.integers({1, 1}),
                   rw.integers({2, 3}));
}

/// Scale(x) -> scale * x
Replacement scale(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  return times_factor(rw, node.input(0), node.attr("scale", 1.0));
}

/// ConstantFill: `value` in the shape that is `shape`, that of the input, or with `input_as_shape` its numbers;
/// `extra_shape` is appended to the last two.
Replacement constant_fill(const FrameworkNode& node, Rewriter& rw) {
  using Integers = std::vector<std::int64_t>;
  const bool input_is_shape = node.attr("input_as_shape", false);
  const auto shape = node.optional_attr<Integers>("shape");
  const auto extra = node.attr("extra_shape", Integers());
  if (node.failure()) return *node.failure();
  const bool has_input = node.has_input(0);
  if (shape.has_value() == has_input || (!has_input && (input_is_shape || !extra.empty())))
    return node
        .error("MO-ONNX-0481", "the shape is given {}",
               has_input ? "twice"
               : shape   ? "without an input that extra_shape extends"
                         : "nowhere")
        .hint("it is either the attribute shape, or comes from the input");
  MO_ASSIGN(const ElementType type, data_type_of_number(node, "dtype", node.attr<std::int64_t>("dtype", 1)));
  MO_ASSIGN(const Tensor value, from_reals(type, {}, {node.attr("value", 0.0)}));
  Value lengths = shape            ? rw.integers(*shape)
                  : input_is_shape ? as_i64(rw, node.input(0))
                                   : shape_of(rw, node.input(0));
  if (!extra.empty()) lengths = join(rw, {lengths, rw.integers(extra)});
  return rw.create(ops::Broadcast{}, rw.constant(value), lengths);
}

}  // namespace

/// Ops that ONNX had before opset 10 as experiments; old exporters wrote them.
void register_experimental(OperatorTable& table) {
  table.translate("Affine", since(1), affine);
  table.translate("ImageScaler", since(1), image_scaler);
  table.translate("Crop", since(1), crop);
  table.translate("Scale", since(1), scale);
  table.translate("ConstantFill", since(1), constant_fill);
}

}  // namespace mo::onnx
