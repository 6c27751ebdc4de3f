#include "extensions/support/front.hpp"
#include "ops/broadcast.hpp"

namespace mo::front::onnx {
namespace {

/// Whether the node would drop elements: training_mode (input 2) is true, or not known, and ratio (input 1) is not 0.
bool may_drop(const Node& node) {
  if (!node.input(2)) return false;
  const auto training = known_integers(node.input(2));
  if (training && training->size() == 1 && training->front() == 0) return false;
  const auto ratio = known_reals(node.input(1));
  return !(ratio && ratio->size() == 1 && ratio->front() == 0);
}

/// Dropout(x) -> x, mask: all true
Replacement dropout(const Node& node, Rewriter& rw) {
  if (may_drop(node))
    return node.error("MO-ONNX-0114", "training_mode is true, or only known at run time")
        .hint("export the model for inference, or fix the input with --input 'training_mode->false'");
  const Value x = node.input(0);
  Outputs outputs(node.out_port_count());
  outputs[0] = x;
  if (node.out_port_count() > 1 && !node.out_port(1).disconnected()) {
    const Value one = node.attr<bool>("mask_is_boolean").value_or(true) ? rw.scalar<bool>(true) : number_like(rw, x, 1);
    outputs[1] = rw.create(ops::Broadcast{}, one, shape_of(rw, x));
  }
  return outputs;
}

}  // namespace

void register_dropout(PassRegistry& passes) { passes.add(front_replacement_op("OnnxDropout").replace_op(dropout)); }

}  // namespace mo::front::onnx
