#include "ops/gather_tree.hpp"

#include "onnx_emitter/support/inner_graph.hpp"
#include "onnx_emitter/support/sizes.hpp"

namespace mo::onnx_emitter {
namespace {

/// A loop from the last step to the first one keeps the place of each beam in its parents. Tokens after an end token
/// are end tokens, too.
Expected<Outputs> gather_tree(Translation& t) {
  const ElementType type = t.node.output_type().element_type;
  const Value steps = t.input(0);
  const Value parents = sizes::typed_input(t, 1, ElementType::i64);
  const Value lengths = t.with_axes("Unsqueeze", sizes::typed_input(t, 2, ElementType::i64), {1});
  const Value end = t.node.input_type(3).rank() == 0 ? t.input(3) : t.op("Reshape", {t.input(3), t.integers({})});
  const Value shape = t.op("Shape", {steps});
  const Value times = t.op("Gather", {shape, sizes::scalar(t, 0)}, {{"axis", 0}});
  const Value beams = t.op("Gather", {shape, sizes::scalar(t, 2)}, {{"axis", 0}});
  const Value first = t.op("Expand", {sizes::counted(t, beams), sizes::part(t, shape, 0, 1, 3)});

  InnerGraph body(t);
  Translation& inner = body.operators();
  const Value turn = body.add_input({ElementType::i64, PartialShape(Shape{})}, "turn");
  const Value go_on = body.add_input({ElementType::boolean, PartialShape(Shape{})}, "go_on");
  const TensorType beam_type{ElementType::i64, PartialShape::of_rank(2)};
  const Value place = body.add_input(beam_type, "place");
  const Value last = inner.op("Sub", {body.captured(times), sizes::scalar(inner, 1)});
  const Value time = inner.op("Sub", {last, turn});
  const auto at_place = [&](const Value& all) {
    const Value now = inner.op("Gather", {body.captured(all), time}, {{"axis", 0}});
    return inner.op("GatherElements", {now, place}, {{"axis", 1}});
  };
  const Value is_step = inner.op("Less", {time, body.captured(lengths)});
  const Value token = inner.op("Where", {is_step, at_place(steps), body.captured(end)});
  const Value next = inner.op("Where", {is_step, at_place(parents), place});
  body.add_output(go_on, {ElementType::boolean, PartialShape(Shape{})});
  body.add_output(next, beam_type);
  body.add_output(token, {type, PartialShape::of_rank(2)});
  const Outputs found = InnerGraph::create(t, "Loop", {times, Value(), first}, 2, {{"body", &body}});

  const Value tokens = sizes::part(t, found[1], 0, -1, sizes::kBeforeFirst, -1);
  const Value is_end = t.cast(t.op("Equal", {tokens, end}), ElementType::i32);
  const Value ends = t.op("CumSum", {is_end, sizes::scalar(t, 0)}, {{"exclusive", 1}});
  const Value is_over = t.op("Greater", {ends, t.scalar(ElementType::i32, 0)});
  return Outputs{t.op("Where", {is_over, end, tokens})};
}

}  // namespace

void register_gather_tree(OnnxForms& table) { table.add<ops::GatherTree>(gather_tree); }

}  // namespace mo::onnx_emitter
