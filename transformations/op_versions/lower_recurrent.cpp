#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/gather.hpp"
#include "ops/recurrent_cells.hpp"
#include "ops/recurrent_sequences.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/op_versions/older_classes.hpp"

namespace mo::transformations {
namespace {

constexpr std::int64_t kMostHidden = std::int64_t{1} << 20;

bool is_zero(const Value& value) {
  const auto numbers = reals_of(value, 3 * kMostHidden);
  return numbers && std::all_of(numbers->begin(), numbers->end(), [](double number) { return number == 0; });
}

/// Weights whose gates, along `axis`, are in the order forget, input, cell, output.
Value in_order_fico(Rewriter& rw, const Value& weights, ops::LstmWeightsFormat format, std::int64_t hidden,
                    std::int64_t axis) {
  if (format == ops::LstmWeightsFormat::fico) return weights;
  const std::string_view order = names_of(format)[static_cast<std::size_t>(format)];
  std::vector<std::int64_t> rows;
  for (const char gate : {'f', 'i', 'c', 'o'})
    for (std::int64_t row = 0; row < hidden; ++row)
      rows.push_back(static_cast<std::int64_t>(order.find(gate)) * hidden + row);
  return rw.fold(ops::v1::Gather{}, weights, rw.integers(rows), rw.scalar<std::int64_t>(axis));
}

/// An LSTM of opset1 in a later class, which has one order of the gates and no peepholes.
template <OpLike Old, OpLike New>
Replacement with_gates_in_order(const Node& node, Rewriter& rw) {
  const Old& op = *node.as<Old>();
  constexpr bool is_sequence = std::is_same_v<Old, ops::v0::LSTMSequence>;
  const std::size_t first_weight = is_sequence ? 4 : 3;
  const std::size_t peepholes = first_weight + 3;
  if (op.input_forget || op.hidden_size > kMostHidden)
    return declined("the input gate follows from the forget gate, or the state is too large");
  std::vector<Value> inputs = inputs_of(node);
  if (inputs.size() > peepholes && inputs[peepholes] && !is_zero(inputs[peepholes]))
    return declined("there are peephole weights");
  inputs.resize(std::min(inputs.size(), peepholes));
  for (std::size_t i = first_weight; i < inputs.size(); ++i)
    if (inputs[i]) inputs[i] = in_order_fico(rw, inputs[i], op.weights_format, op.hidden_size, is_sequence ? 1 : 0);
  const Node made = rw.create_node(New(op), inputs);
  Outputs outputs;
  for (std::size_t i = 0; i < node.out_port_count(); ++i) outputs.push_back(made.output(i));
  return outputs;
}

}  // namespace

/// LSTM of opset1, for all targets: runtimes have no such LSTMSequence, and do not read the order of the gates of an
/// LSTMCell.
void register_lower_recurrent(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerRecurrent")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .add(lowering<ops::v0::LSTMCell>("LSTMCellOfOpset4",
                                                  with_gates_in_order<ops::v0::LSTMCell, ops::v4::LSTMCell>))
                 .add(lowering<ops::v0::LSTMSequence>(
                     "LSTMSequenceOfOpset5", with_gates_in_order<ops::v0::LSTMSequence, ops::v5::LSTMSequence>)));
}

}  // namespace mo::transformations
