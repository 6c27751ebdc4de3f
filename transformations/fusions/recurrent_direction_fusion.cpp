
#include "ops/recurrent_sequences.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/recurrent_streams.hpp"

namespace mo::transformations {
namespace {

constexpr std::size_t kMostReaders = 64;

/// What leads to the x of a sequence: a reversal of the steps, and exchanges of the first two dimensions after it.
struct ReversedInput {
  Reversal reversal;
  bool exchanged = false;
};

std::optional<ReversedInput> reversed_input(const Node& sequence) {
  Value x = sequence.input(0);
  ReversedInput found;
  for (int step = 0; x && step < 4; ++step) {
    if (auto reversal = reversal_of(x.node())) {
      found.reversal = *std::move(reversal);
      // [batch, length, n] has the steps at 1; each exchange moves them.
      return found.reversal.axis == (found.exchanged ? 0 : 1) ? std::optional(found) : std::nullopt;
    }
    if (!is_exchange(x.node())) break;
    found.exchanged = !found.exchanged;
    x = x.node().input(0);
  }
  return std::nullopt;
}

/// Every reader of all states reverses them again, after Squeeze and exchanges; the reversals go in `found`.
bool is_reversed_again(const Node& sequence, std::vector<Reversal>& found) {
  struct Stream {
    Value value;
    std::int64_t axis;  ///< of the steps
  };
  std::vector<Stream> open = {{sequence.output(0), 2}};
  for (std::size_t seen = 0; !open.empty();) {
    const Stream stream = open.back();
    open.pop_back();
    for (const InPort& reader : stream.value.get_destinations()) {
      const Node node = reader.node();
      if (++seen > kMostReaders || reader.index() != 0) return false;
      if (stream.axis == 2) {
        const auto axes = is_squeeze(node) ? known_axes(node.input(1), 4) : std::nullopt;
        if (!axes || *axes != std::vector<std::int64_t>{1}) return false;
        open.push_back({node.output(), 1});
      } else if (is_exchange(node)) {
        open.push_back({node.output(), 1 - stream.axis});
      } else {
        auto reversal = reversal_of(node);
        if (!reversal || reversal->axis != stream.axis || !has_lengths(sequence, reversal->lengths)) return false;
        found.push_back(*std::move(reversal));
      }
    }
  }
  return true;
}

template <class T>
Op reversed_sequence(const Node& sequence) {
  T op = *sequence.as<T>();
  op.direction = ops::RecurrentDirection::reverse;
  return op;
}

/// reverse(forward(reverse(x))) -> sequence(x) {direction=reverse}
bool fuse_reversal(const Node& sequence, Rewriter& rw) {
  const auto* lstm = sequence.as<ops::LSTMSequence>();
  if ((lstm ? lstm->direction : sequence.as<ops::GRUSequence>()->direction) != ops::RecurrentDirection::forward)
    return false;
  const auto before = reversed_input(sequence);
  std::vector<Reversal> behind;
  if (!before || !has_lengths(sequence, before->reversal.lengths) || !is_reversed_again(sequence, behind)) return false;
  std::vector<Value> inputs;
  for (const InPort& port : sequence.in_ports()) inputs.push_back(port.get_source());
  const Value source = before->reversal.node.input(0);
  inputs[0] = before->exchanged ? rw.create(ops::Transpose{}, source, rw.integers({1, 0, 2})) : source;
  const Node made = rw.create_node(
      lstm ? reversed_sequence<ops::LSTMSequence>(sequence) : reversed_sequence<ops::GRUSequence>(sequence), inputs);
  Outputs outputs;
  for (const OutPort& port : made.out_ports()) outputs.push_back(port);
  rw.replace(sequence, outputs);
  // The reversal need not stay for its shape.
  const std::vector<InPort> readers =
      before->reversal.node.alive() ? before->reversal.node.output().get_destinations() : std::vector<InPort>();
  for (const InPort& reader : readers)
    if (reader.node().op_type().traits.shape_of) rw.set_input(reader.node(), 0, source);
  for (const Reversal& reversal : behind) rw.replace(reversal.node, {reversal.node.input(0)});
  return true;
}

}  // namespace

/// A sequence that runs forward over reversed steps, and whose states are reversed again or read only at the end ->
/// {direction=reverse}.
void register_recurrent_direction_fusion(PassRegistry& passes) {
  passes.add(graph_pass("RecurrentDirectionFusion")
                 .run_after({"RecurrentSequenceFusion", "RecurrentSequenceOfTensorIteratorFusion"})
                 .run_before({"TransposeFusion"})
                 .looks_for<ops::LSTMSequence, ops::GRUSequence>()
                 .run([](Graph& graph, PassContext&) -> Expected<bool> {
                   Rewriter rw(graph);
                   for (const Node node : graph.nodes()) {
                     if (is_sequence(node)) fuse_reversal(node, rw);
                     if (rw.error()) return *rw.error();
                   }
                   return rw.has_changed();
                 }));
}

}  // namespace mo::transformations
