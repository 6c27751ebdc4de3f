#include "ops/ctc_greedy_decoder.hpp"

#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// Classes of all steps, [N, T].
struct DecodedClasses {
  Value classes;  ///< without blanks and repetitions, filled with -1; i64
  Value counts;   ///< [N]; i64
};

/// `best`: the class of each step; `is_step`: the step belongs to the sequence; both [N, T]. A class is kept unless it
/// is the blank or, with `merge`, that of the step before. Those that are kept move to the front: their places are
/// the numbers of kept ones before them, and all others go to a place after the last one, which is cut off.
DecodedClasses decoded_classes(Translation& t, const Value& best, const Value& is_step, const Value& blank,
                               bool merge) {
  Value is_kept = t.op("And", {is_step, t.op("Not", {t.op("Equal", {best, blank})})});
  const Value shape = t.op("Shape", {best});
  const Value column = t.op("Mul", {shape, t.integers({1, 0})});
  const Value one_column = t.op("Add", {column, t.integers({0, 1})});
  if (merge) {
    const Value none = sizes::filled(t, one_column, ElementType::i64, -1);
    const Value before = sizes::part(t, t.op("Concat", {none, best}, {{"axis", 1}}), 1, 0, -1);
    is_kept = t.op("And", {is_kept, t.op("Not", {t.op("Equal", {best, before})})});
  }
  const Value kept = t.cast(is_kept, ElementType::i64);
  const Value last = t.op("Gather", {shape, sizes::scalar(t, 1)}, {{"axis", 0}});
  const Value number = t.op("CumSum", {kept, sizes::scalar(t, 1)}, {{"exclusive", 1}});
  const Value places = t.op("Where", {is_kept, number, last});
  const Value wider = t.op("Add", {shape, t.integers({0, 1})});
  const Value empty = sizes::filled(t, wider, ElementType::i64, -1);
  const Value moved = t.op("ScatterElements", {empty, places, best}, {{"axis", 1}});
  return {sizes::part(t, moved, 1, 0, -1), t.with_axes("ReduceSum", kept, {1}, {{"keepdims", 0}})};
}

/// The best class of each step; runtimes lack half types here.
Value best_classes(Translation& t) {
  const ElementType type = t.node.input_type(0).element_type;
  const Value scores = sizes::typed_input(t, 0, type == ElementType::f64 ? type : ElementType::f32);
  return t.op("ArgMax", {scores}, {{"axis", 2}, {"keepdims", 0}});
}

/// The last class, a scalar.
Value last_class(Translation& t) {
  const Value classes = t.op("Gather", {t.op("Shape", {t.input(0)}), sizes::scalar(t, 2)}, {{"axis", 0}});
  return t.op("Sub", {classes, sizes::scalar(t, 1)});
}

/// A sequence ends before the first 0 of its mask.
Expected<Outputs> ctc_greedy_decoder(Translation& t) {
  const auto& op = *t.node.as<ops::CTCGreedyDecoder>();
  const Value best = t.transposed(best_classes(t), {1, 0});
  const Value mask = t.transposed(t.cast(t.input(1), ElementType::boolean), {1, 0});
  const Value ended = t.op("CumSum", {t.cast(t.op("Not", {mask}), ElementType::i64), sizes::scalar(t, 1)});
  const Value is_step = t.op("Equal", {ended, sizes::scalar(t, 0)});
  const DecodedClasses found = decoded_classes(t, best, is_step, last_class(t), op.ctc_merge_repeated);
  const Value classes = t.with_axes("Unsqueeze", found.classes, {2, 3});
  return Outputs{t.cast(classes, t.node.output_type().element_type)};
}

Expected<Outputs> ctc_greedy_decoder_of_lengths(Translation& t) {
  const auto& op = *t.node.as<ops::CTCGreedyDecoderSeqLen>();
  const Value best = best_classes(t);
  const Value steps = t.op("Gather", {t.op("Shape", {t.input(0)}), sizes::scalar(t, 1)}, {{"axis", 0}});
  const Value lengths = t.with_axes("Unsqueeze", t.input_i64(1), {1});
  const Value is_step = t.op("Less", {sizes::counted(t, steps), lengths});
  const Value blank = t.input(2) ? sizes::one_as_scalar(t, 2) : last_class(t);
  const DecodedClasses found = decoded_classes(t, best, is_step, blank, op.merge_repeated);
  Outputs outputs{sizes::as_index_type(t, found.classes, op.classes_index_type), Value()};
  if (sizes::is_read(t, 1)) outputs[1] = sizes::as_index_type(t, found.counts, op.sequence_length_type);
  return outputs;
}

}  // namespace

void register_ctc_greedy_decoder(OnnxForms& table) {
  table.add<ops::CTCGreedyDecoder>(ctc_greedy_decoder);
  table.add<ops::CTCGreedyDecoderSeqLen>(ctc_greedy_decoder_of_lengths);
}

}  // namespace mo::onnx_emitter
