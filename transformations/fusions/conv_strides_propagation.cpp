#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/convolution.hpp"
#include "transformations/fusions/support/pixel_strides.hpp"

namespace mo::transformations {

/// Pads that follow from the size would be others with another stride.
void register_conv_strides_propagation(PassRegistry& passes) {
  passes.offer(rewrite("ConvStridesPropagation")
                   .order(RuleOrder::backward)
                   .described("Convolution {strides=t} -> Convolution of 1x1 {strides=s}",
                              "the first with strides t * s, the second with 1",
                              "all readers are such convolutions, or strides on their way, with the same s; channels "
                              "first; no auto_pad by size")
                   .match(pattern::op<ops::Convolution>())
                   .replace([](const Match& m, Rewriter& rw) -> Replacement {
                     const Node node = m.root().node();
                     auto* const op = node.as<ops::Convolution>();
                     if (!is_channels_first_convolution(node)) return declined("channels are last");
                     if (op->auto_pad == ops::AutoPad::same_upper || op->auto_pad == ops::AutoPad::same_lower)
                       return declined("pads follow from the size");
                     const auto wanted = stride_of_readers(node);
                     if (!wanted || wanted->size() != op->strides.size())
                       return declined("readers need all pixels, or different ones");
                     for (std::size_t i = 0; i < wanted->size(); ++i) op->strides[i] *= (*wanted)[i];
                     rw.changed(node);
                     relieve_readers(rw, node);
                     return changed_in_place(node);
                   }));
}

}  // namespace mo::transformations
