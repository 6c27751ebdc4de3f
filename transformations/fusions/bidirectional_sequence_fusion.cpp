#include <unordered_set>

#include "core/graph/values.hpp"
#include "ops/concat.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/reshape.hpp"
#include "ops/split.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/recurrent_streams.hpp"

namespace mo::transformations {
namespace {

/// All states of a sequence, without the dimension of directions; exchanged: [length, batch, hidden].
struct States {
  Node sequence;
  bool exchanged = false;
};

/// The sequence that leads to one input of a Concat; nothing when another node reads its states.
std::optional<States> states_of(Value value) {
  States states;
  for (int step = 0; value && step < 4; ++step) {
    if (!value.has_one_destination()) return std::nullopt;
    const Node node = value.node();
    if (is_squeeze(node)) {
      const auto axes = known_axes(node.input(1), 4);
      states.sequence = node.input(0).node();
      const bool fits = axes && *axes == std::vector<std::int64_t>{1} && is_sequence(states.sequence) &&
                        node.input(0).index() == 0 && node.input(0).has_one_destination();
      return fits ? std::optional(states) : std::nullopt;
    }
    if (!is_exchange(node)) break;
    states.exchanged = !states.exchanged;
    value = node.input(0);
  }
  return std::nullopt;
}

/// Whether the first states of a sequence may depend on `other`, which reads the same x; when the budget ends, they
/// may.
bool may_depend(const Node& sequence, const Node& other) {
  constexpr std::size_t kMost = 4096;
  std::vector<Node> open;
  std::unordered_set<NodeId> seen;
  for (std::size_t i = 1; i <= SequencePorts(sequence).states; ++i) open.push_back(sequence.input(i).node());
  // What the other sequence reads does not depend on it.
  seen.insert(other.input(0).node().id());
  while (!open.empty()) {
    const Node next = open.back();
    open.pop_back();
    if (next == other || seen.size() > kMost) return true;
    if (!seen.insert(next.id()).second) continue;
    for (const InPort& port : next.in_ports())
      if (const Value source = port.get_source()) open.push_back(source.node());
  }
  return false;
}

ops::RecurrentDirection direction_of(const Node& sequence) {
  const auto* lstm = sequence.as<ops::LSTMSequence>();
  return lstm ? lstm->direction : sequence.as<ops::GRUSequence>()->direction;
}

/// The op of a sequence in another direction.
Op with_direction(const Node& sequence, ops::RecurrentDirection direction) {
  if (const auto* lstm = sequence.as<ops::LSTMSequence>()) {
    ops::LSTMSequence op = *lstm;
    op.direction = direction;
    return op;
  }
  ops::GRUSequence op = *sequence.as<ops::GRUSequence>();
  op.direction = direction;
  return op;
}

bool are_halves(const Node& forward, const Node& backward) {
  if (forward == backward || !forward.op_type().same_op(backward.op_type()) ||
      forward.in_port_count() != backward.in_port_count())
    return false;
  if (direction_of(forward) != ops::RecurrentDirection::forward ||
      direction_of(backward) != ops::RecurrentDirection::reverse)
    return false;
  const Op first = with_direction(forward, ops::RecurrentDirection::bidirectional);
  const Op second = with_direction(backward, ops::RecurrentDirection::bidirectional);
  if (!same_attributes(first.type(), first.payload(), second.payload())) return false;
  const SequencePorts ports(forward);
  if (!same_tensor(forward.input(0), backward.input(0))) return false;
  const bool whole = has_lengths(forward, {}) && has_lengths(backward, {});
  if (!whole && !same_tensor(forward.input(ports.lengths), backward.input(ports.lengths))) return false;
  for (std::size_t i = 1; i < forward.in_port_count(); ++i)
    if (!forward.input(i) || !backward.input(i)) return false;
  return !may_depend(forward, backward) && !may_depend(backward, forward);
}

/// Concat(states of a forward sequence, states of a reverse one) -> states of one sequence in both directions
bool fuse_halves(const Node& concat, Rewriter& rw) {
  const auto& op = *concat.as<ops::Concat>();
  if (concat.in_port_count() != 2 || concat.output_type().rank() != 3 || normalize_axis(op.axis, 3) != 2 ||
      !concat.output_type().shape[2].is_known())
    return false;
  const auto forward = states_of(concat.input(0));
  const auto backward = forward ? states_of(concat.input(1)) : std::nullopt;
  if (!backward || forward->exchanged != backward->exchanged || !are_halves(forward->sequence, backward->sequence))
    return false;
  const Node first = forward->sequence;
  const Node second = backward->sequence;
  const SequencePorts ports(first);
  std::vector<Value> inputs = {first.input(0)};
  const auto both = [&](std::size_t i, std::int64_t axis) {
    inputs.push_back(rw.fold(ops::Concat{.axis = axis}, first.input(i), second.input(i)));
  };
  for (std::size_t i = 1; i <= ports.states; ++i) both(i, 1);
  inputs.push_back(first.input(ports.lengths));
  for (std::size_t i = ports.weights; i < first.in_port_count(); ++i) both(i, 0);
  const Node made = rw.create_node(with_direction(first, ops::RecurrentDirection::bidirectional), inputs);
  // [batch, 2, length, hidden] -> [batch, length, 2 * hidden] or [length, batch, 2 * hidden]
  const Value moved = rw.create(ops::Transpose{}, made.output(0),
                                forward->exchanged ? rw.integers({2, 0, 1, 3}) : rw.integers({0, 2, 1, 3}));
  const Value joined =
      rw.create(ops::Reshape{.special_zero = true}, moved, rw.integers({0, 0, concat.output_type().shape[2].value()}));
  for (std::size_t i = 1; i <= ports.states; ++i) {
    if (first.output(i).disconnected() && second.output(i).disconnected()) continue;
    const Node halves = rw.create_node(ops::Split{.num_splits = 2}, {made.output(i), rw.scalar<std::int64_t>(1)}, 2);
    rw.replace_uses(first.output(i), halves.output(0));
    rw.replace_uses(second.output(i), halves.output(1));
  }
  rw.replace(concat, {joined}, {first, second});
  return true;
}

}  // namespace

/// A forward and a reverse sequence over the same steps, put together along the states -> one sequence
/// {direction=bidirectional}.
void register_bidirectional_sequence_fusion(PassRegistry& passes) {
  passes.add(graph_pass("BidirectionalSequenceFusion")
                 .run_after({"RecurrentDirectionFusion"})
                 .run_before({"TransposeFusion"})
                 .looks_for<ops::LSTMSequence, ops::GRUSequence>()
                 .run([](Graph& graph, PassContext&) -> Expected<bool> {
                   Rewriter rw(graph);
                   for (const Node node : graph.nodes()) {
                     if (node.is<ops::Concat>()) fuse_halves(node, rw);
                     if (rw.error()) return *rw.error();
                   }
                   return rw.has_changed();
                 }));
}

}  // namespace mo::transformations
