#include "ops/pad.hpp"

#include "frontends/onnx/ops/support/pad.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"

namespace mo::onnx {
namespace {

/// The numbers are in the attribute `name`.
Replacement pad_by_attributes(const FrameworkNode& node, Rewriter& rw, std::string_view name) {
  MO_TRY(node.expect_inputs(1));
  const auto pads = node.required<std::vector<std::int64_t>>(name);
  if (node.failure()) return *node.failure();
  if (pads.size() % 2 != 0)
    return node.error("MO-ONNX-0212", "there are {} pad values", pads.size())
        .hint("there is one for the begin and one for the end of each dimension");
  const std::string mode = node.attr("mode", "constant");
  if (mode == "wrap")
    return node.error("MO-ONNX-0226", "mode is \"{}\"", mode)
        .hint("mode is constant, reflect or edge, and from opset 19 on wrap");
  const auto number = node.attr("value", 0.0);
  const Value value = mode == "constant" ? number_like(rw, node.input(0), number) : Value();
  return pad_tensor(node, rw, node.input(0), rw.integers(pads), value, {}, mode);
}

Replacement pad_of_opset_1(const FrameworkNode& node, Rewriter& rw) { return pad_by_attributes(node, rw, "paddings"); }
Replacement pad_of_opset_2(const FrameworkNode& node, Rewriter& rw) { return pad_by_attributes(node, rw, "pads"); }

/// Inputs: data, pads, value, and from opset 18 on the axes that are padded. Opset 19 brought the mode wrap.
Replacement pad_by_inputs(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  return pad_tensor(node, rw, node.input(0), node.input(1), node.input(2), node.input(3),
                    node.attr("mode", "constant"));
}

/// CenterCropPad-18 -> Pad with what is missing on each side, negative where the data is larger. The odd element is at
/// the end.
Replacement center_crop_pad(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value x = node.input(0);
  const auto axes = node.optional_attr<std::vector<std::int64_t>>("axes");
  Value lengths = shape_of(rw, x);
  if (axes) lengths = rw.create(ops::Gather{}, lengths, rw.integers(*axes), rw.scalar<std::int64_t>(0));
  const Value missing = rw.create(ops::Subtract{}, as_i64(rw, node.input(1)), lengths);
  // Towards zero: cropping 3 elements removes the first and the last 2.
  Value begin = rw.create(ops::Divide{.m_pythondiv = false}, missing, rw.scalar<std::int64_t>(2));
  Value end = rw.create(ops::Subtract{}, missing, begin);
  if (axes) {
    begin = for_all_axes(rw, x, begin, rw.integers(*axes));
    end = for_all_axes(rw, x, end, rw.integers(*axes));
  }
  return rw.create(ops::Pad{}, x, begin, end, number_like(rw, x, 0));
}

}  // namespace

void register_pad(OperatorTable& table) {
  table.translate("Pad", versions(1, 1), pad_of_opset_1);
  table.translate("Pad", versions(2, 10), pad_of_opset_2);
  table.translate("Pad", versions(11, 17), pad_by_inputs);
  table.translate("Pad", since(18), pad_by_inputs);
  table.translate("CenterCropPad", since(18), center_crop_pad);
}

}  // namespace mo::onnx
