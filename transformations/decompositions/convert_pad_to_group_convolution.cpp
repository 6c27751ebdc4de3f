#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/convolution.hpp"
#include "ops/pad.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {
namespace {

bool pads_space_only(const std::vector<std::int64_t>& pads, std::size_t rank) {
  return pads.size() == rank && none_negative(pads) && pads[0] == 0 && pads[1] == 0;
}

}  // namespace

/// For devices that pad only inside of convolutions.
void register_convert_pad_to_group_convolution(PassRegistry& passes) {
  using namespace pattern;
  passes.offer(
      rewrite("ConvertPadToGroupConvolution")
          .described(
              "Pad(x, before, after, 0)", "GroupConvolution(x, ones), one group a channel, with these pads",
              "constant zeros around spatial dimensions; real type, rank at least 4, the number of channels is known")
          .match(any_op<ops::v1::Pad, ops::v12::Pad>())
          .replace([](const Match& m, Rewriter& rw) -> Replacement {
            const Node pad = m.root().node();
            const auto* const old = pad.as<ops::v1::Pad>();
            if ((old ? old->pad_mode : pad.as<ops::v12::Pad>()->pad_mode) != ops::PadMode::constant)
              return declined("pads with no constant");
            if (pad.input(3) && single_real_of(pad.input(3)) != 0.0) return declined("does not pad with zeros");
            const TensorType& data = pad.input_type(0);
            const auto before = constant_integers_of(pad.input(1));
            const auto behind = constant_integers_of(pad.input(2));
            if (!is_real(data.element_type) || !data.shape.has_rank() || data.shape.size() < 4 ||
                !data.shape[1].is_known())
              return declined("type, rank or number of channels do not fit");
            const std::size_t rank = data.shape.size();
            if (!before || !behind || !pads_space_only(*before, rank) || !pads_space_only(*behind, rank))
              return declined("the pads are not constant, or concern more than spatial dimensions");
            Shape filter(rank + 1, 1);
            filter[0] = data.shape[1].value();
            auto ones =
                from_reals(data.element_type, filter, std::vector<double>(static_cast<std::size_t>(filter[0]), 1));
            if (!ones) return std::move(ones).error();
            const std::vector<std::int64_t> each_one(rank - 2, 1);
            ops::GroupConvolution convolution{.strides = each_one, .dilations = each_one};
            convolution.pads_begin.assign(before->begin() + 2, before->end());
            convolution.pads_end.assign(behind->begin() + 2, behind->end());
            return rw.create(std::move(convolution), pad.input(0), rw.constant(*std::move(ones)));
          }));
}

}  // namespace mo::transformations
