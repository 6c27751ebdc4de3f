#include "ops/binary_convolution.hpp"

#include "core/tensor/packing.hpp"
#include "onnx_emitter/support/detection.hpp"
#include "onnx_emitter/support/window.hpp"

namespace mo::onnx_emitter {
namespace {

/// A convolution of signs: bits that agree give 1, others -1. The padding counts as a sign, too.
Expected<Outputs> binary_convolution(Translation& t) {
  const auto& op = *t.node.as<ops::BinaryConvolution>();
  const auto* const filters = t.node.input(1).node().as<Const>();
  if (!filters) return t.refused("its filters are computed");
  std::vector<double> signs;
  for (std::int64_t i = 0; i < filters->value.element_count(); ++i)
    signs.push_back(sub_byte_element(filters->value, i) != 0 ? 1 : -1);
  const Shape& shape = filters->value.shape();
  const std::vector<std::int64_t> kernel(shape.begin() + 2, shape.end());
  const std::vector<std::int64_t> strides = ones_if_empty(op.strides, kernel.size());
  const std::vector<std::int64_t> dilations = ones_if_empty(op.dilations, kernel.size());
  AttributeMap attributes{{"strides", strides}, {"dilations", dilations}, {"kernel_shape", kernel}};
  set_pads(t, op, kernel, strides, dilations, attributes);
  const auto* const found = std::as_const(attributes).find("pads");
  if (!found) return t.refused("its padding follows from an unknown size");
  const std::vector<std::int64_t> given = *found->get_if<std::vector<std::int64_t>>();
  const auto half = static_cast<std::ptrdiff_t>(given.size() / 2);
  std::vector<std::int64_t> pads(2, 0);
  pads.insert(pads.end(), given.begin(), given.begin() + half);
  pads.insert(pads.end(), 2, 0);
  pads.insert(pads.end(), given.begin() + half, given.end());
  attributes.set("pads", std::vector<std::int64_t>(given.size(), 0));
  const Value is_positive = t.op("Greater", {detection::in_f32(t, 0), detection::real(t, 0)});
  const Value data = t.op("Where", {is_positive, detection::real(t, 1), detection::real(t, -1)});
  const Value padded = t.op("Pad", {data, t.integers(pads), detection::real(t, op.pad_value > 0 ? 1 : -1)});
  const Value sums = t.op("Conv", {padded, detection::reals(t, shape, signs)}, std::move(attributes));
  return Outputs{detection::as_output(t, sums)};
}

}  // namespace

void register_binary_convolution(OnnxForms& table) { table.add<ops::BinaryConvolution>(binary_convolution); }

}  // namespace mo::onnx_emitter
