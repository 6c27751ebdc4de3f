#include "extensions/front/caffe/layer_inputs.hpp"
#include "ops/activations.hpp"
#include "ops/comparison.hpp"

namespace mo::front::caffe {

/// Activations whose numbers are attributes or blobs in Caffe and inputs in the IR.
void register_activation(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffeLeakyReLU").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    return rw.create(ops::PReLU{}, node.input(0), real(rw, real_of(node, "slope")));
  }));
  // A vector of slopes lies along the channels, as in the IR.
  passes.add(front_replacement_op("CaffePReLU").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    MO_ASSIGN(const Value slope, shaped_blob(node, rw, 0, flag_of(node, "channel_shared") ? Integers{1} : Integers{-1}));
    return rw.create(ops::PReLU{}, node.input(0), slope);
  }));
  passes.add(front_replacement_op("CaffeSwish").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    return rw.create(ops::Swish{}, node.input(0), real(rw, real_of(node, "beta")));
  }));
  passes.add(front_replacement_op("CaffeHardSigmoid").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    return rw.create(ops::HardSigmoid{}, node.input(0), real(rw, real_of(node, "alpha")), real(rw, real_of(node, "beta")));
  }));
  // x > threshold as 1 or 0
  passes.add(front_replacement_op("CaffeThreshold").replace_op([](const Node& node, Rewriter& rw) -> Replacement {
    const Value above = rw.create(ops::Greater{}, node.input(0), real(rw, real_of(node, "threshold")));
    return rw.create(ops::Convert{.destination_type = ElementType::f32}, above);
  }));
}

}  // namespace mo::front::caffe
