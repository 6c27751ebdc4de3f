#include <algorithm>
#include <cmath>
#include <limits>

#include "core/graph/values.hpp"
#include "ops/clamp.hpp"
#include "ops/convolution.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/pad.hpp"
#include "ops/pooling.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/sliding_window.hpp"

namespace mo::transformations {
namespace {

using ops::AutoPad;

/// A Pad with one number around the data.
struct Padding {
  Value data;
  std::vector<std::int64_t> begin;
  std::vector<std::int64_t> end;
  double value = 0;
};

std::optional<Padding> padding_before(const Node& window) {
  const Value source = window.input(0);
  if (!source) return std::nullopt;
  const Node pad = source.node();
  const auto* older = pad.as<ops::v1::Pad>();
  const auto* newer = pad.as<ops::v12::Pad>();
  if ((!older && !newer) || (older ? older->pad_mode : newer->pad_mode) != ops::PadMode::constant) return std::nullopt;
  const auto rank = pad.input_type(0).rank();
  auto begin = integers_of(pad.input(1));
  auto end = integers_of(pad.input(2));
  const auto value = pad.input(3) ? single_real_of(pad.input(3)) : 0.0;
  if (!begin || !end || !value || (rank && begin->size() != static_cast<std::size_t>(*rank)) ||
      end->size() != begin->size())
    return std::nullopt;
  // a negative pad cuts
  const auto fits = [](std::int64_t v) { return v >= 0 && v < std::numeric_limits<std::int32_t>::max(); };
  if (!std::all_of(begin->begin(), begin->end(), fits) || !std::all_of(end->begin(), end->end(), fits))
    return std::nullopt;
  return Padding{pad.input(0), *std::move(begin), *std::move(end), *value};
}

/// No element is negative, whatever the input.
bool is_never_negative(const Value& value) {
  const Node node = value.node();
  if (const auto* clamp = node.as<ops::Clamp>()) return clamp->min >= 0;
  return node.is<ops::ReLU>() || node.is<ops::Sigmoid>() || node.is<ops::HSigmoid>() || node.is<ops::Abs>();
}

template <class T>
DataLayout layout_of(const T& op) {
  if constexpr (requires { op.layout; })
    return op.layout;
  else
    return DataLayout::channels_first;
}

/// The dilations of a pooling class that has them.
template <class T>
std::vector<std::int64_t> dilations_of(const T& op) {
  if constexpr (requires { op.dilations; })
    return op.dilations;
  else
    return {};
}

/// The window's own pads. Explicit ones depend on nothing that may be unknown.
template <class T>
std::optional<Pads> own_pads(const T& op, const Node& node, const std::optional<std::vector<std::int64_t>>& kernel,
                             std::size_t count) {
  if (op.auto_pad == AutoPad::explicit_pads && op.pads_begin.size() == count && op.pads_end.size() == count)
    return Pads{op.pads_begin, op.pads_end};
  const auto data = spatial_dimensions(node.input_type(0).shape, layout_of(op), count);
  if (!data || !kernel || kernel->size() != count) return std::nullopt;
  return pads_of({op.strides, op.pads_begin, op.pads_end, dilations_of(op), op.auto_pad}, *kernel, *data);
}

/// What the Pad adds along the spatial dimensions; nothing when it touches batch or channels.
template <class T>
std::optional<Pads> spatial_pads(const T& op, const Padding& padding) {
  const std::size_t rank = padding.begin.size();
  if (rank < 3) return std::nullopt;
  const DataAxes axes = data_axes(layout_of(op), rank);
  for (const std::size_t axis : {std::size_t{0}, axes.channel})
    if (padding.begin[axis] != 0 || padding.end[axis] != 0) return std::nullopt;
  const auto spatial = [&](const std::vector<std::int64_t>& of) {
    const auto first = of.begin() + static_cast<std::ptrdiff_t>(axes.first);
    return std::vector<std::int64_t>(first, first + static_cast<std::ptrdiff_t>(rank - 2));
  };
  return Pads{spatial(padding.begin), spatial(padding.end)};
}

/// The pads of Pad and window together; `made` are the op's attributes. False when Pad touches batch or channels, or
/// the window's own padding is not known.
template <class T>
bool add_pads(T& made, const Node& node, const Padding& padding,
              const std::optional<std::vector<std::int64_t>>& kernel) {
  const auto more = spatial_pads(made, padding);
  auto own = more ? own_pads(made, node, kernel, more->begin.size()) : std::nullopt;
  if (!own) return false;
  for (std::size_t i = 0; i < more->begin.size(); ++i) {
    own->begin[i] += more->begin[i];
    own->end[i] += more->end[i];
  }
  made.auto_pad = AutoPad::explicit_pads;
  made.pads_begin = std::move(own->begin);
  made.pads_end = std::move(own->end);
  return true;
}

/// The same op on the data before the Pad.
template <class T>
Replacement on_data(T made, const Node& node, const Padding& padding, Rewriter& rw) {
  std::vector<Value> inputs = {padding.data};
  for (std::size_t i = 1; i < node.in_port_count(); ++i) inputs.push_back(node.input(i));
  const Node fused = rw.create_node(std::move(made), inputs);
  Outputs outputs;
  for (const OutPort& port : fused.out_ports()) outputs.push_back(port);
  return outputs;
}

/// Convolution(Pad(x, 0)) -> Convolution(x)
template <class T>
RewriteRule convolution(bool grouped) {
  return rewrite("PadFusion" + std::string(T::id.type))
      .match(pattern::op<T>())
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const auto padding = padding_before(node);
        T made = *node.as<T>();
        if (!padding || padding->value != 0 || !add_pads(made, node, *padding, kernel_of(node.input(1), grouped)))
          return declined(
              "no Pad of zeros, the padding of the convolution is unknown, or the pads are negative or not along "
              "space");
        return on_data(std::move(made), node, *padding, rw);
      });
}

/// The pads of a transposed convolution cut its result: they shrink by a stride with each element of the data.
template <class T>
RewriteRule transposed_convolution() {
  return rewrite("PadFusion" + std::string(T::id.type))
      .match(pattern::op<T>(pattern::any(), pattern::any()))
      .rule([](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const auto padding = padding_before(node);
        T made = *node.as<T>();
        const auto zeros = padding && padding->value == 0 ? spatial_pads(made, *padding) : std::nullopt;
        if (!zeros) return declined("no Pad of zeros around the space");
        const std::size_t count = zeros->begin.size();
        if (made.auto_pad != AutoPad::explicit_pads || made.pads_begin.size() != count ||
            made.pads_end.size() != count || made.strides.size() != count)
          return declined("the pads of the convolution are not given");
        for (std::size_t i = 0; i < count; ++i) {
          made.pads_begin[i] -= zeros->begin[i] * made.strides[i];
          made.pads_end[i] -= zeros->end[i] * made.strides[i];
          if (made.pads_begin[i] < 0 || made.pads_end[i] < 0)
            return declined("the pads of the convolution are too small");
        }
        return on_data(std::move(made), node, *padding, rw);
      });
}

/// A pooling of class T after a Pad: `fuse(node, padding, op, rewriter)`. A last window that sticks out (ceil) ends
/// where the padding does, which would move.
template <class T, class Fuse>
RewriteRule pooling(Fuse fuse) {
  return rewrite("PadFusion" + std::string(T::id.type))
      .match(pattern::op<T>())
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const auto padding = padding_before(node);
        const T& op = *node.as<T>();
        if (!padding || op.rounding_type != decltype(op.rounding_type)::floor)
          return declined("no constant pads, or the pooling rounds up");
        return fuse(node, *padding, op, rw);
      });
}

/// AvgPool(Pad(x, 0)) -> AvgPool(x) {exclude-pad=false}: zeros of the Pad count
/// as elements. Where the pooling itself pads, that padding must count as well.
template <class T>
RewriteRule average() {
  return pooling<T>([](const Node& node, const Padding& padding, T made, Rewriter& rw) -> Replacement {
    if (padding.value != 0) return declined("the pads are not of zeros");
    T bare = made;
    Padding none = padding;
    std::fill(none.begin.begin(), none.begin.end(), 0);
    std::fill(none.end.begin(), none.end.end(), 0);
    if (!add_pads(bare, node, none, bare.kernel) || !add_pads(made, node, padding, made.kernel))
      return declined("the pads are negative or not along space");
    const auto is_zero = [](std::int64_t v) { return v == 0; };
    const bool pads = !std::all_of(bare.pads_begin.begin(), bare.pads_begin.end(), is_zero) ||
                      !std::all_of(bare.pads_end.begin(), bare.pads_end.end(), is_zero);
    if (pads && made.exclude_pad) return declined("the average leaves out its own pads only");
    made.exclude_pad = false;
    return on_data(std::move(made), node, padding, rw);
  });
}

/// MaxPool(Pad(x, -inf)) -> MaxPool(x), whose own padding never wins; nor does
/// a 0 beside elements that are not negative.
template <class T>
RewriteRule maximum() {
  return pooling<T>([](const Node& node, const Padding& padding, T made, Rewriter& rw) -> Replacement {
    // Indices count the padded elements.
    if (node.out_port_count() > 1 && !node.out_port(1).disconnected()) return declined("the indices are read");
    const bool is_least = is_real(node.output_type().element_type) &&
                          padding.value <= -static_cast<double>(std::numeric_limits<float>::max());
    if (!is_least && !(padding.value == 0 && is_never_negative(padding.data)))
      return declined("the pads may be the maximum");
    const std::vector<std::int64_t> dilations = dilations_of(made);
    if (std::any_of(dilations.begin(), dilations.end(), [](std::int64_t d) { return d != 1; }))
      return declined("the kernel is dilated");
    if (!add_pads(made, node, padding, made.kernel)) return declined("the pads are negative or not along space");
    // Every window holds an element of the data.
    for (std::size_t i = 0; i < made.kernel.size(); ++i)
      if (made.pads_begin[i] >= made.kernel[i] || made.pads_end[i] >= made.kernel[i])
        return declined("the pads are as large as the kernel");
    return on_data(std::move(made), node, padding, rw);
  });
}

}  // namespace

/// A Pad whose value has the same effect as the padding of the convolution or pooling after it is fused into that op.
/// Either layout.
void register_pad_fusion(PassRegistry& passes) {
  passes.add(
      graph_rewrite("PadFusion")
          .described(
              "a convolution or pooling of Pad(x)", "the same of x with other pads",
              "the Pad puts zeros (before a maximum: the least number) around spatial dimensions, by constants; "
              "padding of an average itself counts or is none; pads of a transposed convolution are large enough")
          .run_after({"DilatedConvolutionFusion"})
          .add(convolution<ops::Convolution>(false))
          .add(convolution<ops::GroupConvolution>(true))
          .add(transposed_convolution<ops::ConvolutionBackpropData>())
          .add(transposed_convolution<ops::GroupConvolutionBackpropData>())
          .add(average<ops::v1::AvgPool>())
          .add(average<ops::v14::AvgPool>())
          .add(average<ops::v16::AvgPool>())
          .add(maximum<ops::v1::MaxPool>())
          .add(maximum<ops::v8::MaxPool>())
          .add(maximum<ops::v14::MaxPool>()));
}

}  // namespace mo::transformations
