#include "core/graph/values.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/non_negative.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"
#include "ops/strided_slice.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/fusions/support/recurrent_loop.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/recurrent_streams.hpp"

namespace mo::transformations {
namespace {

/// What the sequences of one loop have in common.
struct Steps {
  Value count;    ///< i64 [1]: iterations, when they may be fewer than slices; else empty
  Value lengths;  ///< i64 [batch]
  bool reverse = false;
};

Value as_i64(Rewriter& rw, const Value& x) {
  return x.type().element_type == ElementType::i64 ? x
                                                   : rw.create(ops::Convert{.destination_type = ElementType::i64}, x);
}

/// i64 vector of one element: the size along `axis`.
Value size_along(Rewriter& rw, const Value& x, std::int64_t axis) {
  return rw.create(ops::Gather{}, rw.create(ops::ShapeOf{}, x), rw.integers({axis}), rw.scalar<std::int64_t>(0));
}

Value with_axis(Rewriter& rw, const Value& x, std::int64_t axis) {
  return rw.fold(ops::Unsqueeze{}, x, rw.integers({axis}));
}

/// [length, batch, n] <-> [batch, length, n]
Value exchanged(Rewriter& rw, const Value& x) { return rw.create(ops::Transpose{}, x, rw.integers({1, 0, 2})); }

std::optional<std::size_t> slice_axis(const ops::InputMap& map) {
  const auto axis = map.axis ? normalize_axis(*map.axis, 3) : std::nullopt;
  return axis ? std::optional(static_cast<std::size_t>(*axis)) : std::nullopt;
}

/// How the number of iterations compares with the number of slices.
enum class Trips { all, some, unknown };

Trips trips_of(const Node& node, const LoopParts& parts, const Dimension& slices) {
  if (!parts.has_trip_count) return Trips::all;
  const Value count = node.input(0);
  const auto known = integers_of(count);
  if (known) {
    if (known->size() != 1 || known->front() < 0) return Trips::unknown;
    if (slices.is_known())
      return known->front() == slices.value()  ? Trips::all
             : known->front() < slices.value() ? Trips::some
                                               : Trips::unknown;
    return Trips::some;
  }
  const PartialValue* partial = count.data().partial_value();
  if (partial && partial->elements.size() == 1 && partial->elements.front().same_value(slices)) return Trips::all;
  return build::is_not_negative(count) ? Trips::some : Trips::unknown;
}

/// The slices of all cells, and the states, are of one batch and, along the other axis, of one number.
struct Extent {
  Dimension batch;
  Dimension slices;
};

std::optional<Extent> extent_of(const Node& node, const RecurrentLoop& loop) {
  std::optional<Extent> extent;
  for (const LoopedCell& cell : loop.cells) {
    if (!cell.slices) continue;
    const PartialShape& shape = node.input_type(static_cast<std::size_t>(cell.slices->input)).shape;
    const auto axis = slice_axis(*cell.slices);
    if (!shape.has_rank() || shape.size() != 3 || !axis) return std::nullopt;
    const Extent own{shape[1 - *axis], shape[*axis]};
    if (extent && (!extent->batch.same_value(own.batch) || !extent->slices.same_value(own.slices))) return std::nullopt;
    extent = own;
  }
  for (const LoopedCell& cell : loop.cells)
    for (const ops::InputMap* state : cell.states) {
      const PartialShape& shape = node.input_type(static_cast<std::size_t>(state->input)).shape;
      if (!extent || !shape.has_rank() || shape.size() != 2 || !shape[0].same_value(extent->batch)) return std::nullopt;
    }
  if (loop.lengths) {
    const PartialShape& shape = loop.lengths.type().shape;
    if (!extent || !shape.has_rank() || shape.size() != 1 || !shape[0].same_value(extent->batch)) return std::nullopt;
  }
  return extent;
}

/// Sequences for the cells of one loop.
class SequenceMaker {
 public:
  SequenceMaker(const Node& node, const LoopParts& parts, const RecurrentLoop& loop, Rewriter& rw)
      : node_(node), parts_(parts), loop_(loop), rw_(rw) {}

  Outputs make(Trips trips) {
    make_steps(trips);
    for (const LoopedCell& cell : loop_.cells) sequences_.push_back(sequence(cell));
    Outputs outputs(node_.out_port_count());
    for (const LoopedOutput& output : loop_.outputs) outputs[output.output] = value_of(output);
    return outputs;
  }

 private:
  Value outer(const Value& inner) {
    if (const Const* constant = inner.node().as<Const>()) return rw_.constant(constant->value);
    return node_.input(static_cast<std::size_t>(fixed_input(parts_, inner)->input));
  }
  /// The tensor that is sliced, and the axis, both before a Transpose that only puts the steps first.
  std::pair<Value, std::int64_t> sliced(const ops::InputMap& map) const {
    const Value x = node_.input(static_cast<std::size_t>(map.input));
    const auto axis = static_cast<std::int64_t>(*slice_axis(map));
    return is_exchange(x.node()) ? std::pair(x.node().input(0), 1 - axis) : std::pair(x, axis);
  }
  Value batch_first(const ops::InputMap& map) {
    const auto [x, axis] = sliced(map);
    return axis == 0 ? exchanged(rw_, x) : x;
  }

  void make_steps(Trips trips) {
    const auto [x, axis] = sliced(*loop_.cells.front().slices);
    steps_.reverse = loop_.reverse;
    const Value batch = size_along(rw_, x, 1 - axis);
    Value count = size_along(rw_, x, axis);
    if (trips == Trips::some) {
      const Value given = as_i64(rw_, node_.input(0));
      count =
          given.type().rank() == 1 ? given : rw_.create(ops::Reshape{.special_zero = false}, given, rw_.integers({1}));
      steps_.count = count;
    }
    if (loop_.lengths) {
      // A length of more steps than there are means all of them; TensorFlow does not check it.
      const Value least = rw_.create(ops::Maximum{}, as_i64(rw_, loop_.lengths), rw_.integers({0}));
      steps_.lengths = rw_.create(ops::Minimum{}, least, count);
    } else {
      steps_.lengths = rw_.create(ops::Broadcast{}, count, batch);
    }
  }

  Node sequence(const LoopedCell& cell) {
    const Value x = cell.slices ? batch_first(*cell.slices) : all_states(cell.below);
    std::vector<Value> inputs = {x};
    for (const ops::InputMap* state : cell.states)
      inputs.push_back(
          rw_.create(ops::Unsqueeze{}, node_.input(static_cast<std::size_t>(state->input)), rw_.integers({1})));
    inputs.push_back(steps_.lengths);
    for (std::size_t i = 1 + cell.states.size(); i < cell.cell.in_port_count(); ++i)
      inputs.push_back(with_axis(rw_, outer(cell.cell.input(i)), 0));
    const auto direction = steps_.reverse ? ops::RecurrentDirection::reverse : ops::RecurrentDirection::forward;
    if (const auto* lstm = cell.cell.as<ops::LSTMCell>())
      return rw_.create_node(ops::LSTMSequence{.hidden_size = lstm->hidden_size,
                                               .direction = direction,
                                               .activations = lstm->activations,
                                               .activations_alpha = lstm->activations_alpha,
                                               .activations_beta = lstm->activations_beta,
                                               .clip = lstm->clip},
                             inputs);
    const auto& gru = *cell.cell.as<ops::GRUCell>();
    return rw_.create_node(ops::GRUSequence{.hidden_size = gru.hidden_size,
                                            .direction = direction,
                                            .activations = gru.activations,
                                            .activations_alpha = gru.activations_alpha,
                                            .activations_beta = gru.activations_beta,
                                            .clip = gru.clip,
                                            .linear_before_reset = gru.linear_before_reset},
                           inputs);
  }

  /// [batch, length, hidden]
  Value all_states(std::size_t cell) {
    return rw_.create(ops::Squeeze{}, sequences_[cell].output(0), rw_.integers({1}));
  }

  Value value_of(const LoopedOutput& output) {
    if (!output.axis)
      return rw_.create(ops::Squeeze{}, sequences_[output.cell].output(1 + output.state), rw_.integers({1}));
    Value steps = all_states(output.cell);
    if (steps_.count) {
      // Only the steps that the loop ran.
      const Value zero = rw_.integers({0});
      const Value end = rw_.create(ops::Concat{.axis = 0}, zero, steps_.count);
      steps = rw_.create(ops::StridedSlice{.begin_mask = {1, 1}, .end_mask = {1, 0}}, steps, rw_.integers({0, 0}), end,
                         rw_.integers({1, 1}));
    }
    return *output.axis == 0 ? exchanged(rw_, steps) : steps;
  }

  Node node_;
  const LoopParts& parts_;
  const RecurrentLoop& loop_;
  Rewriter& rw_;
  Steps steps_;
  std::vector<Node> sequences_;
};

Replacement to_sequences(const Node& node, Rewriter& rw) {
  const auto parts = loop_parts(node);
  const auto loop = parts ? recurrent_loop(node) : std::nullopt;
  const auto extent = loop ? extent_of(node, *loop) : std::nullopt;
  if (!extent) return Replacement::declined();
  const Trips trips = trips_of(node, *parts, extent->slices);
  if (trips == Trips::unknown || (loop->reverse && trips != Trips::all)) return Replacement::declined();
  return SequenceMaker(node, *parts, *loop, rw).make(trips);
}

}  // namespace

/// A Loop or a TensorIterator over the steps of a sequence whose body is LSTMCell or GRUCell, or several of them on top
/// of each other -> LSTMSequence-5, GRUSequence-5.
void register_recurrent_sequence_fusion(PassRegistry& passes) {
  for (const char* op : {"Loop", "TensorIterator"})
    passes.add(front_replacement_op(op)
                   .named(op == std::string_view("Loop") ? "RecurrentSequenceFusion"
                                                         : "RecurrentSequenceOfTensorIteratorFusion")
                   .phase(Phase::middle)
                   .run_after({"LstmCellFusion", "GruCellFusion", "SelectAlignment"})
                   .run_before({"TransposeFusion"})
                   .replace_op(to_sequences));
}

}  // namespace mo::transformations
