#include "ops/convolution.hpp"

#include <algorithm>
#include <limits>

#include "extensions/front/caffe/layer_inputs.hpp"
#include "extensions/support/front_shapes.hpp"
#include "extensions/support/window.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::front::caffe {
namespace {

constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

/// A list of the window, with one number for each of `axes`; nothing when it has another length.
std::optional<Integers> spread(Integers list, std::size_t axes, std::int64_t usual) {
  if (list.empty()) list.push_back(usual);
  if (list.size() == 1) return Integers(axes, list.front());
  return list.size() == axes ? std::optional(std::move(list)) : std::nullopt;
}

/// Window and filters of a convolution. The kernel's list tells the number of spatial axes; when it has one number, the filters do.
struct Parts {
  Window window;
  Value filters;
  Value bias;  ///< [1, O, 1, …]; empty without one
  std::int64_t group = 1;
};

Expected<Parts> parts_of(const Node& node, Rewriter& rw, bool transposed) {
  const PartialShape blob = known_shape(node.input(bottom_count(node)));
  const Integers kernel = list_of(node, "kernel");
  const std::size_t axes = kernel.size() > 1 ? kernel.size() : blob.has_rank() && blob.size() > 2 ? blob.size() - 2 : 2;
  Parts parts;
  Window& window = parts.window;
  const std::pair<std::string_view, std::pair<Integers*, std::int64_t>> lists[] = {
      {"kernel", {&window.kernel, 1}}, {"strides", {&window.strides, 1}}, {"pads", {&window.pads_begin, 0}}, {"dilations", {&window.dilations, 1}}};
  for (const auto& [name, target] : lists) {
    auto list = spread(list_of(node, name), axes, target.second);
    if (!list)
      return node.error("MO-CAFFE-0102", "{} has {} numbers for {} spatial axes", name, list_of(node, name).size(), axes)
          .hint("give one number, or one for each axis");
    *target.first = *std::move(list);
  }
  window.pads_end = window.pads_begin;
  const std::int64_t outputs = integer_of(node, "num_output", 1);
  parts.group = integer_of(node, "group", 1);
  // Caffe: filters [O, C / G, spatial…]; those of a Deconvolution are the ones of the convolution that it is the gradient of.
  Integers shape(axes + 2, -1);
  shape[transposed ? 1 : 0] = transposed ? outputs / parts.group : outputs;
  std::copy(window.kernel.begin(), window.kernel.end(), shape.begin() + 2);
  MO_ASSIGN(parts.filters, shaped_blob(node, rw, 0, shape));
  if (flag_of(node, "bias_term")) {
    Integers bias(axes + 2, 1);
    bias[1] = outputs;
    MO_ASSIGN(parts.bias, shaped_blob(node, rw, 1, bias));
  }
  return parts;
}

Value transposed_convolution(Rewriter& rw, const Value& x, const Parts& parts) {
  const Window& window = parts.window;
  const auto fill = [&](auto op) {
    op.strides = window.strides;
    op.pads_begin = window.pads_begin;
    op.pads_end = window.pads_end;
    op.dilations = window.dilations;
    return op;
  };
  if (parts.group == 1) return rw.create(fill(ops::ConvolutionBackpropData{}), x, parts.filters);
  return rw.create(fill(ops::GroupConvolutionBackpropData{}), x, grouped_filters(rw, parts.filters, parts.group, window.spatial_rank()));
}

Value convolved(Rewriter& rw, const Value& x, const Parts& parts, bool transposed) {
  const Value y = transposed ? transposed_convolution(rw, x, parts) : convolve(rw, x, parts.filters, parts.window, parts.group);
  return parts.bias ? rw.create(ops::Add{}, y, parts.bias) : y;
}

/// Caffe: all axes in front of `axis`, that of the channels, are a batch together.
Value convolved_at(Rewriter& rw, const Value& x, std::int64_t axis, const Parts& parts, bool transposed) {
  const auto own = static_cast<std::int64_t>(parts.window.spatial_rank() + 1);
  const auto rank = known_shape(x).rank();
  if (axis == 1 || (rank && *rank == own + 1)) return convolved(rw, x, parts, transposed);
  const Value shape = shape_of(rw, x);
  const Value image = rw.create(ops::Reshape{}, x, join(rw, {rw.integers({-1}), slice_along(rw, shape, 0, -own, kToTheEnd)}));
  const Value y = convolved(rw, image, parts, transposed);
  return rw.create(ops::Reshape{}, y, join(rw, {slice_along(rw, shape, 0, 0, -own), slice_along(rw, shape_of(rw, y), 0, 1, kToTheEnd)}));
}

/// One convolution for each bottom, all with the same filters.
Replacement convolution(const Node& node, Rewriter& rw, bool transposed) {
  MO_ASSIGN(const Parts parts, parts_of(node, rw, transposed));
  const std::int64_t axis = integer_of(node, "axis", 1);
  const auto own = static_cast<std::int64_t>(parts.window.spatial_rank() + 1);
  if (axis < 0 ? axis != -own : axis > 64)
    return node.error("MO-CAFFE-0102", "convolution_param.axis is {}, the filters have {} spatial axes behind the channels", axis, own - 1)
        .hint("correct the prototxt");
  Outputs outputs;
  for (std::size_t i = 0; i < bottom_count(node); ++i) outputs.push_back(convolved_at(rw, node.input(i), axis, parts, transposed));
  return outputs;
}

}  // namespace

void register_convolution(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffeConvolution").replace_op([](const Node& node, Rewriter& rw) { return convolution(node, rw, false); }));
  passes.add(front_replacement_op("CaffeDeconvolution").replace_op([](const Node& node, Rewriter& rw) { return convolution(node, rw, true); }));
}

}  // namespace mo::front::caffe
