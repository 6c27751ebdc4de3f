#include "ops/convolution.hpp"

#include "onnx_emitter/support/integer_convolution.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/support/window.hpp"

namespace mo::onnx_emitter {
namespace {

/// Sizes from dimension `first` on; refused when one is unknown.
Expected<std::vector<std::int64_t>> spatial_sizes(Translation& t, const PartialShape& shape, std::size_t first) {
  std::vector<std::int64_t> sizes;
  if (!shape.has_rank()) return t.refused("a rank is unknown");
  for (std::size_t i = first; i < shape.size(); ++i) {
    if (!shape[i].is_known()) return t.refused("the size of an image or of its filters is unknown");
    sizes.push_back(shape[i].value());
  }
  return sizes;
}

template <class Op>
AttributeMap convolution_window(const Translation& t, const std::vector<std::int64_t>& kernel) {
  const auto& op = *t.node.as<Op>();
  const std::vector<std::int64_t> strides = ones_if_empty(op.strides, kernel.size());
  const std::vector<std::int64_t> dilations = ones_if_empty(op.dilations, kernel.size());
  AttributeMap attributes{{"strides", strides}, {"dilations", dilations}, {"kernel_shape", kernel}};
  set_pads(t, op, kernel, strides, dilations, attributes);
  return attributes;
}

/// [G, O / G, C / G, …] as [O, C / G, …]; the bytes are the same.
Expected<Value> joined_groups(Translation& t, std::int64_t& groups) {
  const Value given = t.node.input(1);
  MO_ASSIGN(std::vector<std::int64_t> shape, spatial_sizes(t, given.type().shape, 0));
  groups = shape[0];
  shape[1] *= shape[0];
  shape.erase(shape.begin());
  if (const auto* const constant = given.node().as<Const>())
    return t.constant(constant->value.reshaped(Shape(shape.begin(), shape.end())));
  return t.op("Reshape", {t.input(1), t.integers(shape)});
}

Outputs convolved(Translation& t, const Value& filters, AttributeMap attributes) {
  if (const auto integers = integer_convolution::result(t, t.input(0), filters, attributes)) return {*integers};
  return {t.op("Conv", {t.input(0), filters}, std::move(attributes))};
}

Expected<Outputs> convolution(Translation& t) {
  MO_ASSIGN(const std::vector<std::int64_t> kernel, spatial_sizes(t, t.node.input_type(1).shape, 2));
  return convolved(t, t.input(1), convolution_window<ops::Convolution>(t, kernel));
}

Expected<Outputs> group_convolution(Translation& t) {
  MO_ASSIGN(const std::vector<std::int64_t> kernel, spatial_sizes(t, t.node.input_type(1).shape, 3));
  AttributeMap attributes = convolution_window<ops::GroupConvolution>(t, kernel);
  std::int64_t groups = 1;
  MO_ASSIGN(const Value filters, joined_groups(t, groups));
  attributes.set("group", groups);
  return convolved(t, filters, std::move(attributes));
}

/// Pads are computed from the size of the result, which the IR gives as an input. Where the total is odd, same_lower of
/// the IR cuts one more at the end: the other way round than in a convolution.
template <class Op>
Expected<AttributeMap> transposed_window(Translation& t, const std::vector<std::int64_t>& kernel) {
  const auto& op = *t.node.as<Op>();
  const std::size_t count = kernel.size();
  const std::vector<std::int64_t> strides = ones_if_empty(op.strides, count);
  const std::vector<std::int64_t> dilations = ones_if_empty(op.dilations, count);
  std::vector<std::int64_t> more = op.output_padding;
  more.resize(count, 0);
  AttributeMap attributes{{"strides", strides}, {"dilations", dilations}, {"kernel_shape", kernel}};
  std::vector<std::int64_t> begin(count, 0);
  std::vector<std::int64_t> end(count, 0);
  const bool has_shape = t.node.in_port_count() > 2 && t.node.input(2);
  if (op.auto_pad == ops::AutoPad::explicit_pads && !has_shape) {
    begin = op.pads_begin;
    end = op.pads_end;
  } else if (has_shape) {
    MO_ASSIGN(const std::vector<std::int64_t> from, spatial_sizes(t, t.node.input_type(0).shape, 2));
    MO_ASSIGN(const std::vector<std::int64_t> to, spatial_sizes(t, t.node.output_type().shape, 2));
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t reach = (kernel[i] - 1) * dilations[i] + 1;
      const std::int64_t total = strides[i] * (from[i] - 1) + more[i] + reach - to[i];
      if (op.auto_pad == ops::AutoPad::explicit_pads) {
        begin[i] = op.pads_begin.empty() ? 0 : op.pads_begin[i];
      } else {
        begin[i] = op.auto_pad == ops::AutoPad::same_lower ? total / 2 : total - total / 2;
      }
      end[i] = total - begin[i];
      if (begin[i] < 0 || end[i] < 0) {  // beyond what the windows reach
        more[i] -= std::min<std::int64_t>(0, end[i]) + std::min<std::int64_t>(0, begin[i]);
        begin[i] = std::max<std::int64_t>(0, begin[i]);
        end[i] = std::max<std::int64_t>(0, end[i]);
      }
    }
  }
  attributes.set("pads", joined_pads(begin, end));
  attributes.set("output_padding", more);
  return attributes;
}

bool is_known_from(const PartialShape& shape, std::size_t first) {
  if (!shape.has_rank()) return false;
  for (std::size_t i = first; i < shape.size(); ++i)
    if (!shape[i].is_known()) return false;
  return true;
}

/// The size of the result is given, and those of the image or of the result are known when the model runs only.
bool has_computed_size(const Translation& t) {
  const bool has_shape = t.node.in_port_count() > 2 && t.node.input(2);
  return has_shape && !(is_known_from(t.node.input_type(0).shape, 2) && is_known_from(t.node.output_type().shape, 2));
}

/// All that the windows reach, cut to the size of the result by pads that are negative.
template <class Op>
Value cut_backprop(Translation& t, const Value& filters, const std::vector<std::int64_t>& kernel, std::int64_t groups) {
  const auto& op = *t.node.as<Op>();
  const std::size_t count = kernel.size();
  AttributeMap attributes{{"strides", ones_if_empty(op.strides, count)},
                          {"dilations", ones_if_empty(op.dilations, count)},
                          {"kernel_shape", kernel},
                          {"group", groups}};
  const Value whole = t.op("ConvTranspose", {t.input(0), filters}, std::move(attributes));
  std::vector<std::int64_t> more = op.output_padding;
  more.resize(count, 0);
  const Value reached = sizes::part(t, t.op("Shape", {whole}), 0, 2, sizes::kAfterLast);
  const Value total = t.op("Sub", {t.op("Add", {reached, t.integers(more)}), t.input_vector(2)});
  const Value half = t.op("Div", {total, t.integers({2})});
  Value begin = op.auto_pad == ops::AutoPad::same_lower ? half : t.op("Sub", {total, half});
  if (op.auto_pad == ops::AutoPad::explicit_pads)
    begin = t.integers(op.pads_begin.empty() ? std::vector<std::int64_t>(count, 0) : op.pads_begin);
  const Value zero = t.integers({0});
  begin = t.op("Where", {t.op("Less", {begin, zero}), zero, begin});
  const Value end = t.op("Sub", {t.op("Sub", {reached, begin}), t.input_vector(2)});
  const Value none = t.integers({0, 0});
  const Value pads = t.op("Concat", {none, t.op("Neg", {begin}), none, t.op("Neg", {end})}, {{"axis", 0}});
  return t.op("Pad", {whole, pads});
}

Expected<Outputs> backprop(Translation& t) {
  MO_ASSIGN(const std::vector<std::int64_t> kernel, spatial_sizes(t, t.node.input_type(1).shape, 2));
  if (has_computed_size(t)) return Outputs{cut_backprop<ops::ConvolutionBackpropData>(t, t.input(1), kernel, 1)};
  MO_ASSIGN(AttributeMap attributes, transposed_window<ops::ConvolutionBackpropData>(t, kernel));
  return Outputs{t.op("ConvTranspose", {t.input(0), t.input(1)}, std::move(attributes))};
}

Expected<Outputs> group_backprop(Translation& t) {
  MO_ASSIGN(const std::vector<std::int64_t> kernel, spatial_sizes(t, t.node.input_type(1).shape, 3));
  std::int64_t groups = 1;
  MO_ASSIGN(const Value filters, joined_groups(t, groups));
  if (has_computed_size(t)) return Outputs{cut_backprop<ops::GroupConvolutionBackpropData>(t, filters, kernel, groups)};
  MO_ASSIGN(AttributeMap attributes, transposed_window<ops::GroupConvolutionBackpropData>(t, kernel));
  attributes.set("group", groups);
  return Outputs{t.op("ConvTranspose", {t.input(0), filters}, std::move(attributes))};
}

}  // namespace

void register_convolution(OnnxForms& table) {
  table.add<ops::Convolution>(convolution);
  table.add<ops::GroupConvolution>(group_convolution);
  table.add<ops::ConvolutionBackpropData>(backprop);
  table.add<ops::GroupConvolutionBackpropData>(group_backprop);
}

}  // namespace mo::onnx_emitter
