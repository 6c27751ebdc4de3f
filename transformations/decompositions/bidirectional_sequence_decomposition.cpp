#include "core/registry/pass_registry.hpp"
#include "ops/concat.hpp"
#include "ops/recurrent_sequences.hpp"
#include "ops/split.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {
namespace {

/// The inputs of one direction: x and lengths as they are, the rest in halves.
class Halves {
 public:
  Halves(const Node& sequence, std::size_t states, Rewriter& rw) {
    const Value directions_first = rw.scalar<std::int64_t>(0);
    const Value directions_second = rw.scalar<std::int64_t>(1);
    for (std::size_t i = 0; i < sequence.in_port_count(); ++i) {
      const Value input = sequence.input(i);
      if (i == 0 || i == states + 1 || !input) {
        forward_.push_back(input);
        reverse_.push_back(input);
        continue;
      }
      const Node split =
          rw.create_node(ops::Split{.num_splits = 2}, {input, i <= states ? directions_second : directions_first}, 2);
      forward_.push_back(split.output(0));
      reverse_.push_back(split.output(1));
    }
  }
  const std::vector<Value>& forward() const { return forward_; }
  const std::vector<Value>& reverse() const { return reverse_; }

 private:
  std::vector<Value> forward_;
  std::vector<Value> reverse_;
};

template <OpLike Sequence>
void register_split(PassRegistry& passes, const std::string& name, std::size_t states) {
  const std::string type(Sequence::id.type);
  passes.offer(rewrite(name)
                   .described(type + " in both directions",
                              "one forward and one reverse " + type + ", their outputs side by side",
                              "direction is bidirectional")
                   .match(pattern::op<Sequence>())
                   .replace(of_op<Sequence>([=](const Node& node, const Sequence& op, Rewriter& rw) -> Replacement {
                     if (op.direction != ops::RecurrentDirection::bidirectional) return declined("one direction");
                     const Halves halves(node, states, rw);
                     const auto one_way = [&](ops::RecurrentDirection direction, const std::vector<Value>& inputs) {
                       Sequence made = op;
                       made.direction = direction;
                       return rw.create_node(std::move(made), inputs, states + 1);
                     };
                     const Node forward = one_way(ops::RecurrentDirection::forward, halves.forward());
                     const Node reverse = one_way(ops::RecurrentDirection::reverse, halves.reverse());
                     Outputs outputs;
                     for (std::size_t i = 0; i <= states; ++i)
                       outputs.push_back(rw.create(ops::Concat{.axis = 1}, forward.output(i), reverse.output(i)));
                     return outputs;
                   })));
}

}  // namespace

void register_bidirectional_sequence_decomposition(PassRegistry& passes) {
  register_split<ops::v5::LSTMSequence>(passes, "BidirectionalLSTMSequenceDecomposition", 2);
  register_split<ops::GRUSequence>(passes, "BidirectionalGRUSequenceDecomposition", 1);
  register_split<ops::RNNSequence>(passes, "BidirectionalRNNSequenceDecomposition", 1);
  passes.offer(pipeline("BidirectionalSequenceDecomposition")
                   .described("LSTMSequence, GRUSequence, RNNSequence in both directions",
                              "two sequences, one in each direction")
                   .group("BidirectionalSequenceDecomposition",
                          {"BidirectionalLSTMSequenceDecomposition", "BidirectionalGRUSequenceDecomposition",
                           "BidirectionalRNNSequenceDecomposition"}));
}

}  // namespace mo::transformations
