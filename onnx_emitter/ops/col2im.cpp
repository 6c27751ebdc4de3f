#include "ops/col2im.hpp"

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// A transposed convolution puts each column at its places: one filter for each element of a block, which is 1 there.
Expected<Value> image_by_convolution(Translation& t, const ops::Col2Im& op, const Value& columns) {
  const auto image = integers_of(t.node.input(1));
  const auto block = integers_of(t.node.input(2));
  const PartialShape& shape = t.node.input_type(0).shape;
  const std::size_t count = block ? block->size() : 0;
  if (!image || image->size() != count || count != 2 || !shape.has_rank() || !shape[shape.size() - 2].is_known())
    return t.needs_opset(18);
  const std::int64_t elements = (*block)[0] * (*block)[1];
  const std::int64_t channels = shape[shape.size() - 2].value() / elements;
  std::vector<std::int64_t> blocks;
  std::vector<std::int64_t> more;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t reach = op.dilations[i] * ((*block)[i] - 1) + 1;
    const std::int64_t padded = (*image)[i] + op.pads_begin[i] + op.pads_end[i];
    blocks.push_back((padded - reach) / op.strides[i] + 1);
    more.push_back(padded - reach - (blocks.back() - 1) * op.strides[i]);
  }
  std::vector<double> places(static_cast<std::size_t>(channels * elements * elements), 0.0);
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t i = 0; i < elements; ++i) places[static_cast<std::size_t>((c * elements + i) * elements + i)] = 1;
  MO_ASSIGN(Tensor filters, from_reals(ElementType::f32, {channels * elements, 1, (*block)[0], (*block)[1]}, places));
  std::vector<std::int64_t> pads = op.pads_begin;
  pads.insert(pads.end(), op.pads_end.begin(), op.pads_end.end());
  const Value by_place = t.op("Reshape", {columns, t.integers({0, 0, blocks[0], blocks[1]})});
  return t.op("ConvTranspose", {by_place, t.constant(std::move(filters))},
              {{"group", channels},
               {"strides", op.strides},
               {"dilations", op.dilations},
               {"kernel_shape", *block},
               {"pads", pads},
               {"output_padding", more}});
}

/// The operator has a batch. Half types and short integers are added up in f32, as the op does.
Expected<Outputs> col2im(Translation& t) {
  const auto& op = *t.node.as<ops::Col2Im>();
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const ElementType given = t.node.input_type(0).element_type;
  const ElementType type = bit_width(given) <= 16 || (t.opset < 18 && is_real(given)) ? ElementType::f32 : given;
  if (t.opset < 18 && type != ElementType::f32) return t.needs_opset(18);
  Value columns = sizes::typed_input(t, 0, type);
  if (rank == 2) columns = t.with_axes("Unsqueeze", columns, {0});
  std::vector<std::int64_t> pads = op.pads_begin;
  pads.insert(pads.end(), op.pads_end.begin(), op.pads_end.end());
  Value image;
  if (t.opset < 18) {
    MO_ASSIGN(image, image_by_convolution(t, op, columns));
  } else {
    image = t.op("Col2Im", {columns, t.input_i64(1), t.input_i64(2)},
                 {{"dilations", op.dilations}, {"pads", pads}, {"strides", op.strides}});
  }
  if (rank == 2) image = t.with_axes("Squeeze", image, {0});
  return Outputs{type == given ? image : t.cast(image, given)};
}

}  // namespace

void register_col2im(OnnxForms& table) { table.add<ops::Col2Im>(col2im); }

}  // namespace mo::onnx_emitter
