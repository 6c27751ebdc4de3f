#include <algorithm>

#include "core/graph/bodies.hpp"
#include "core/graph/moved_names.hpp"
#include "core/rewrite.hpp"
#include "ops/convert.hpp"
#include "ops/reduce.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/precision.hpp"

namespace mo::transformations {
namespace {

bool is_bf16(const Value& value) { return value.type().element_type == ElementType::bf16; }

/// x -> the product of x along a new dimension: a copy, through which the runtime takes no element type from one side
/// to the other. Reshape, Concat, Maximum and ShuffleChannels are none.
Value separated(Rewriter& rw, const Value& x) {
  const Value axis = rw.integers({0});
  return rw.create(ops::ReduceProd{.keep_dims = false}, rw.create(ops::Unsqueeze{}, x, axis), axis);
}

bool is_separated(const Value& x) {
  return x.node().is<ops::ReduceProd>() && x.node().input(0).node().is<ops::Unsqueeze>();
}

template <class Predicate>
bool all_readers(const Value& value, const Predicate& predicate) {
  const std::vector<InPort> readers = value.get_destinations();
  return std::all_of(readers.begin(), readers.end(), [&](const InPort& reader) { return predicate(reader.node()); });
}

/// The node is an input or an output of the model, and nothing is computed in its type.
bool is_mere_end(const Node& node) {
  const auto is_result = [](const Node& reader) { return reader.is<Result>(); };
  const auto is_unsqueeze = [](const Node& reader) { return reader.is<ops::Unsqueeze>(); };
  if (node.is<Parameter>())
    return all_readers(node.output(), [&](const Node& reader) {
      return is_result(reader) || (reader.is<ops::Convert>() && all_readers(reader.output(), is_unsqueeze));
    });
  return node.is<ops::Convert>() && is_separated(node.input(0)) && all_readers(node.output(), is_result);
}

/// Whether something is computed in bf16, or converted from or to it. Constants that are widened where they are read
/// are not meant.
bool computes_in_bf16(Graph& graph) {
  for (const Graph* const one : with_bodies(graph))
    for (const Node node : one->nodes()) {
      const auto outputs = node.out_ports();
      if (!node.is<Const>() && std::any_of(outputs.begin(), outputs.end(), is_bf16) && !is_mere_end(node)) return true;
    }
  return false;
}

std::vector<InPort> readers_of(const Value& value, bool are_results) {
  std::vector<InPort> readers = value.get_destinations();
  std::erase_if(readers, [&](const InPort& reader) { return reader.node().is<Result>() != are_results; });
  return readers;
}

void widen_input(Rewriter& rw, const Value& input) {
  input.node().as<Parameter>()->element_type = ElementType::bf16;
  rw.changed(input.node());
  const std::vector<InPort> readers = readers_of(input, false);
  if (readers.empty()) return;
  const Value wide = separated(rw, rw.create(ops::Convert{.destination_type = ElementType::f32}, input));
  for (const InPort& reader : readers) rw.set_input(reader.node(), reader.index(), wide);
}

/// Outputs of bf16 that something computes, each as a tensor of its own that nothing else reads: an output of f32 may
/// be what is rounded for it.
std::vector<Value> separate_outputs(Rewriter& rw, const Graph& graph) {
  std::vector<Value> outputs;
  for (const Node& result : graph.results()) {
    const Value output = result.input(0);
    const bool is_done = std::find(outputs.begin(), outputs.end(), output) != outputs.end();
    if (is_done || !is_bf16(output) || output.node().is<Parameter>()) continue;
    const std::vector<InPort> results = readers_of(output, true);
    const Value apart = separated(rw, output);
    for (const InPort& reader : results) rw.set_input(reader.node(), 0, apart);
    move_names(output, apart);
    outputs.push_back(apart);
  }
  return outputs;
}

void narrow_output(Rewriter& rw, const Value& output) {
  const std::vector<InPort> results = readers_of(output, true);
  const Value narrow = rw.create(ops::Convert{.destination_type = ElementType::bf16}, output);
  for (const InPort& result : results) rw.set_input(result.node(), 0, narrow);
  move_names(output, narrow);
}

Expected<bool> compute_in_f32(Graph& graph, PassContext& context) {
  if (!computes_in_bf16(graph)) return false;
  std::vector<Value> inputs;
  for (const Node& input : graph.parameters())
    if (is_bf16(input.output())) inputs.push_back(input.output());
  Rewriter rw(graph);
  const std::vector<Value> outputs = separate_outputs(rw, graph);
  const TypeChange widen{.from = ElementType::bf16, .to = ElementType::f32};
  MO_TRY(change_types(graph, {&widen, 1}, context));
  for (const Value& output : outputs) narrow_output(rw, output);
  for (const Value& input : inputs) widen_input(rw, input);
  if (rw.error()) return Error(*rw.error());
  return true;
}

}  // namespace

void register_models_of_bfloat16(PassRegistry& passes) {
  // Before the other passes that avoid faults: they find ops of f32.
  passes.add(graph_pass("ModelsOfBfloat16")
                 .phase(Phase::back)
                 .only_top_level()
                 .avoids({.form = "ops of bf16, and a Convert between bf16 and f32 beside an input or an output",
                          .symptom = "not compiled: doesn't support BF16 precision on this target",
                          .first = "2021.4",
                          .last = "2022.3",
                          .replacement = "ops of f32, Convert beside inputs and outputs, and between these and the ops "
                                         "Unsqueeze and ReduceProd along the new dimension"})
                 .run(compute_in_f32));
}

}  // namespace mo::transformations
