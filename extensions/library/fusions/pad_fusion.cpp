#include "core/graph/values.hpp"
#include "extensions/library/support/convolutions.hpp"
#include "extensions/library/support/fusing.hpp"
#include "extensions/middle/support/sliding_window.hpp"
#include "ops/pad.hpp"
#include "ops/pooling.hpp"

namespace mo::library::fusions {
namespace {

using namespace pattern;
using middle::Pads;

/// The zeros that a Pad puts around the spatial dimensions; nothing when it does anything else, or when something is no constant.
std::optional<Pads> zeros_around(const Node& pad) {
  const auto* older = pad.as<ops::v1::Pad>();
  const auto mode = older ? older->pad_mode : pad.as<ops::v12::Pad>()->pad_mode;
  if (mode != ops::PadMode::constant || (pad.in_port_count() > 3 && single_real_of(pad.input(3)) != 0.0)) return std::nullopt;
  auto begin = constant_integers_of(pad.input(1));
  auto end = constant_integers_of(pad.input(2));
  if (!none_negative(begin) || !none_negative(end) || begin->size() != end->size() || begin->size() < 3) return std::nullopt;
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}})
    if ((*begin)[axis] != 0 || (*end)[axis] != 0) return std::nullopt;
  begin->erase(begin->begin(), begin->begin() + 2);
  end->erase(end->begin(), end->begin() + 2);
  return Pads{*std::move(begin), *std::move(end)};
}

/// The pads of the window itself, auto_pad resolved.
template <class T>
std::optional<Pads> own_pads(const T& op, const Node& node, const std::vector<std::int64_t>& kernel) {
  const auto dims = middle::spatial_dimensions(node.input_type(0).shape, op.layout, kernel.size());
  if (op.layout != DataLayout::channels_first || !dims) return std::nullopt;
  if constexpr (requires { op.dilations; })
    return middle::pads_of({op.strides, op.pads_begin, op.pads_end, op.dilations, op.auto_pad}, kernel, *dims);
  else
    return middle::pads_of({op.strides, op.pads_begin, op.pads_end, {}, op.auto_pad}, kernel, *dims);
}

template <class T>
void set_pads(T& op, Pads pads) {
  op.auto_pad = ops::AutoPad::explicit_pads;
  op.pads_begin = std::move(pads.begin);
  op.pads_end = std::move(pads.end);
}

Pat padded(const Pat& x) {
  return any_of(any_op<ops::v1::Pad, ops::v12::Pad>(x, any(), any(), any()), any_op<ops::v1::Pad, ops::v12::Pad>(x, any(), any())).one_use();
}

constexpr const char* kConditions = "the Pad puts zeros around spatial dimensions, by constants, and nobody else reads its result";

void sum_up(Pads& own, const Pads& more) {
  for (std::size_t i = 0; i < own.begin.size(); ++i) {
    own.begin[i] += more.begin[i];
    own.end[i] += more.end[i];
  }
}

Pass into_avg_pool() {
  const Pat x = any();
  const Pat pad = padded(x);
  const Pat root = op<ops::v1::AvgPool>(pad);
  return rewrite("PadFusionAvgPool")
      .described("AvgPool(Pad(x))", "AvgPool(x) with the pads, which count",
                 std::string(kConditions) + "; padding of the pooling's own counts or is none")
      .match(root)
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        ops::v1::AvgPool made = *m.node(root).as<ops::v1::AvgPool>();
        const auto zeros = zeros_around(m.node(pad));
        auto own = own_pads(made, m.node(root), made.kernel);
        if (!zeros || !own || zeros->begin.size() != own->begin.size()) return declined("the pads are unknown, or not of zeros around the space");
        const auto is_zero = [](std::int64_t v) { return v == 0; };
        const bool has_own = !std::all_of(own->begin.begin(), own->begin.end(), is_zero) || !std::all_of(own->end.begin(), own->end.end(), is_zero);
        if (made.exclude_pad && has_own) return declined("the padding of the pooling itself does not count");
        if (made.rounding_type != ops::RoundingType::floor) return declined("windows may reach beyond the padding");
        sum_up(*own, *zeros);
        set_pads(made, *std::move(own));
        made.exclude_pad = false;
        return rw.create(made, m[x]);
      });
}

/// `sign`: pads of a convolution grow; those of a transposed one, which cut its result, shrink with each element of the data by a stride.
template <OpLike T>
Pass into_convolution(std::string name, bool grouped, bool transposed) {
  const Pat x = any();
  const Pat pad = padded(x);
  const Pat weights = any();
  const Pat root = op<T>(pad, weights);
  const std::string type(T::id.type);
  return rewrite(std::move(name))
      .described(type + "(Pad(x), w)", type + "(x, w) with " + (transposed ? "smaller" : "larger") + " pads",
                 std::string(kConditions) + (transposed ? "; the pads are large enough" : ""))
      .match(root)
      .replace([=](const Match& m, Rewriter& rw) -> Replacement {
        T made = *m.node(root).template as<T>();
        const auto zeros = zeros_around(m.node(pad));
        if (!zeros) return declined("the pads are unknown, or not of zeros around the space");
        if constexpr (requires { made.output_padding; }) {
          if (made.auto_pad != ops::AutoPad::explicit_pads || made.pads_begin.size() != zeros->begin.size() ||
              made.strides.size() != zeros->begin.size())
            return declined("the pads of the convolution are not given");
          Pads left{made.pads_begin, made.pads_end};
          for (std::size_t i = 0; i < left.begin.size(); ++i) {
            left.begin[i] -= zeros->begin[i] * made.strides[i];
            left.end[i] -= zeros->end[i] * made.strides[i];
            if (left.begin[i] < 0 || left.end[i] < 0) return declined("the pads of the convolution are too small");
          }
          set_pads(made, std::move(left));
        } else {
          // Explicit pads do not depend on the kernel, which may be unknown then.
          const auto known = middle::kernel_of(m[weights], grouped);
          const auto own = made.auto_pad == ops::AutoPad::explicit_pads && made.layout == DataLayout::channels_first
                               ? std::optional(Pads{made.pads_begin, made.pads_end})
                           : known ? own_pads(made, m.node(root), *known)
                                   : std::nullopt;
          if (!own || own->begin.size() != zeros->begin.size()) return declined("the pads of the convolution are unknown");
          Pads sum = *own;
          sum_up(sum, *zeros);
          set_pads(made, std::move(sum));
        }
        return rw.create(made, m[x], m[weights]);
      });
}

}  // namespace

void register_pad_fusion(PassLibrary& library) {
  library.add(into_avg_pool());
  library.add(into_convolution<ops::Convolution>("PadFusionConvolution", false, false));
  library.add(into_convolution<ops::ConvolutionBackpropData>("PadFusionConvolutionBackpropData", false, true));
  library.add(into_convolution<ops::GroupConvolution>("PadFusionGroupConvolution", true, false));
  library.add(into_convolution<ops::GroupConvolutionBackpropData>("PadFusionGroupConvolutionBackpropData", true, true));
  library.add(pipeline("PadFusion")
                  .described("a Pad of zeros in front of an op that pads", "the op with other pads")
                  .group("PadFusion", {"PadFusionAvgPool", "PadFusionConvolution", "PadFusionConvolutionBackpropData", "PadFusionGroupConvolution",
                                       "PadFusionGroupConvolutionBackpropData"}));
}

}  // namespace mo::library::fusions
