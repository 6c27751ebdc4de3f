#include "ops/stft.hpp"

#include "core/graph/values.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// The signal has a batch and a last dimension of 1, the window as many elements as a frame; frames come before bins.
Expected<Outputs> stft(Translation& t) {
  if (t.opset < 17) return t.needs_opset(17);
  const auto& op = *t.node.as<ops::STFT>();
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const auto size = integers_of(t.node.input(2));
  const PartialShape& window_shape = t.node.input_type(1).shape;
  if (!size || !window_shape.has_rank() || !window_shape[0].is_known())
    return t.refused("a window or a frame of unknown size");
  const std::int64_t missing = size->front() - window_shape[0].value();
  Value window = t.input(1);
  if (missing > 0) window = t.op("Pad", {window, t.integers({missing / 2, missing - missing / 2})});
  const Value signal =
      t.with_axes("Unsqueeze", t.input(0), rank == 1 ? std::vector<std::int64_t>{0, 2} : std::vector<std::int64_t>{2});
  Value numbers = t.op("STFT", {signal, t.input_i64(3), window, t.input_i64(2)}, {{"onesided", 1}});
  if (op.transpose_frames) numbers = t.transposed(numbers, {0, 2, 1, 3});
  return Outputs{rank == 1 ? t.with_axes("Squeeze", numbers, {0}) : numbers};
}

}  // namespace

void register_stft(OnnxForms& table) { table.add<ops::STFT>(stft); }

}  // namespace mo::onnx_emitter
