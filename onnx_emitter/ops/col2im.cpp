#include "ops/col2im.hpp"

#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// The operator has a batch. Half types and short integers are added up in f32, as the op does.
Expected<Outputs> col2im(Translation& t) {
  if (t.opset < 18) return t.needs_opset(18);
  const auto& op = *t.node.as<ops::Col2Im>();
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const ElementType given = t.node.input_type(0).element_type;
  const ElementType type = bit_width(given) <= 16 ? ElementType::f32 : given;
  Value columns = sizes::typed_input(t, 0, type);
  if (rank == 2) columns = t.with_axes("Unsqueeze", columns, {0});
  std::vector<std::int64_t> pads = op.pads_begin;
  pads.insert(pads.end(), op.pads_end.begin(), op.pads_end.end());
  Value image = t.op("Col2Im", {columns, t.input_i64(1), t.input_i64(2)},
                     {{"dilations", op.dilations}, {"pads", pads}, {"strides", op.strides}});
  if (rank == 2) image = t.with_axes("Squeeze", image, {0});
  return Outputs{type == given ? image : t.cast(image, given)};
}

}  // namespace

void register_col2im(TranslatorTable& table) { table.add<ops::Col2Im>(col2im); }

}  // namespace mo::onnx_emitter
