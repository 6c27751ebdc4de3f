#include "frontends/caffe/ops/support/layer_checks.hpp"

namespace mo::caffe {
namespace {

/// Caffe RecurrentLayer. Bottoms: x [T, N, …], whether each sequence goes on [T, N], perhaps a fixed input [N, …], and with expose_hidden the
/// `states` first states [1, N, num_output]. Tops: the results of all steps, and with expose_hidden the last states.
/// Blobs: weights of x and their bias, weights of the fixed input if there is one, then the `own_blobs` of the layer.
Expected<Op> extract_recurrent(const FrameworkNode& node, std::string_view op, std::size_t states, std::size_t own_blobs) {
  const Layer layer(node);
  node.ignore({"recurrent_param.debug_info"});
  const bool exposed = layer.flag("recurrent_param.expose_hidden", false);
  const std::size_t least = 2 + (exposed ? states : 0);
  MO_TRY(expect_bottoms(layer, least, least + 1));
  const bool has_fixed = layer.bottoms() > least;
  MO_TRY(expect_blobs(layer, 2 + (has_fixed ? 1 : 0) + own_blobs));
  MO_ASSIGN(const std::int64_t size, integer_in(layer, "recurrent_param.num_output", 0, 1, kLargestSize));
  const std::size_t most_tops = exposed ? 1 + states : 1;
  if (node.output_count() > most_tops)
    return layer.error("MO-CAFFE-0220", "the layer has {} tops", node.output_count())
        .hint("it gives {}; states are tops only with expose_hidden", most_tops);
  return front_op(op, {{"size", size}, {"exposed", exposed}, {"has_fixed", has_fixed}});
}

}  // namespace

void register_recurrent(OperatorTable& table) {
  // State: weights.
  table.extract("LSTM", [](const FrameworkNode& node) { return extract_recurrent(node, "CaffeLSTM", 2, 1); });
  // State: weights; result: weights and bias.
  table.extract("RNN", [](const FrameworkNode& node) { return extract_recurrent(node, "CaffeRNN", 1, 3); });
}

}  // namespace mo::caffe
