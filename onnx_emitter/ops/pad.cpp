#include "ops/pad.hpp"

#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// Pads are one input: begins, then ends. A padding of another shape than a scalar is reshaped.
template <class Op>
Expected<Outputs> pad(Translation& t) {
  const auto& op = *t.node.as<Op>();
  const char* mode = "constant";
  if (op.pad_mode == ops::PadMode::edge) mode = "edge";
  if (op.pad_mode == ops::PadMode::reflect) mode = "reflect";
  if (op.pad_mode == ops::PadMode::symmetric) return t.refused("the mode symmetric");
  const Value pads = t.op("Concat", {t.input_vector(1), t.input_vector(2)}, {{"axis", 0}});
  std::vector<Value> inputs{t.input(0), pads};
  if (op.pad_mode == ops::PadMode::constant && t.node.in_port_count() > 3 && t.input(3)) {
    const bool is_scalar = t.node.input_type(3).rank() == 0;
    inputs.push_back(is_scalar ? t.input(3) : t.op("Reshape", {t.input(3), t.integers({})}));
  }
  return Outputs{t.op("Pad", std::move(inputs), {{"mode", mode}})};
}

}  // namespace

void register_pad(TranslatorTable& table) {
  table.add<ops::v1::Pad>(pad<ops::v1::Pad>);
  table.add<ops::v12::Pad>(pad<ops::v12::Pad>);
}

}  // namespace mo::onnx_emitter
