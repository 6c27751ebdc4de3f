#include "ops/convolution.hpp"

#include "core/op/kernel_table.hpp"
#include "ops/accelerated/engine.hpp"
#include "ops/support/convolution.hpp"

namespace mo::ops::accelerated {
namespace {

using dnnl::memory;

/// A geometry in oneDNN's terms.
struct Description {
  memory::dims data;
  memory::dims filters;
  memory::dims filter_strides;  ///< of the filters as the IR stores them
  memory::dims out;
  memory::dims strides;
  memory::dims dilations;  ///< counted from 0
  memory::dims pads_begin;
  memory::dims pads_end;
};

Description describe(const reference::ConvolutionGeometry& g, const Shape& data, const Shape& out) {
  Description d;
  d.data.assign(data.begin(), data.end());
  d.out.assign(out.begin(), out.end());
  if (g.groups > 1) d.filters.push_back(g.groups);
  d.filters.push_back(g.out_channels);
  d.filters.push_back(g.in_channels);
  const std::size_t leading = d.filters.size();
  for (std::size_t i = 3 - (data.size() - 2); i < 3; ++i) {
    const reference::WindowAxisGeometry& axis = g.window.axes[i];
    const std::int64_t extent = dilated(axis.kernel, axis.dilation);
    d.filters.push_back(axis.kernel);
    d.strides.push_back(axis.stride);
    d.dilations.push_back(axis.dilation - 1);
    d.pads_begin.push_back(axis.pad_begin);
    // For the gradient, whatever makes the sizes agree: an output shape or output padding may want less than the stored
    // pad.
    d.pads_end.push_back(g.transposed ? (axis.in - 1) * axis.stride + extent - axis.pad_begin - axis.out
                                      : axis.pad_end);
  }
  d.filter_strides.assign(d.filters.size(), 1);
  for (std::size_t i = d.filters.size() - 1; i-- > leading;)
    d.filter_strides[i] = d.filter_strides[i + 1] * d.filters[i + 1];
  const std::int64_t kernel = g.window.kernel_size();
  d.filter_strides[leading - 1] = g.transposed ? kernel * g.out_channels : kernel;
  d.filter_strides[leading - 2] = g.transposed ? kernel : kernel * g.in_channels;
  if (g.groups > 1) d.filter_strides[0] = kernel * g.in_channels * g.out_channels;
  return d;
}

template <class Forward>
bool run(const Tensor& data, const Tensor& filters, Tensor& out, const Description& d, dnnl::algorithm algorithm) {
  const typename Forward::desc description(dnnl::prop_kind::forward_inference, algorithm, any(d.data), any(d.filters),
                                           any(d.out), d.strides, d.dilations, d.pads_begin, d.pads_end);
  const typename Forward::primitive_desc primitive(description, engine());
  const memory source = arranged(view(plain(d.data), data), primitive.src_desc());
  const memory weights =
      arranged(view({d.filters, memory::data_type::f32, d.filter_strides}, filters), primitive.weights_desc());
  memory result = view(plain(d.out), out);
  const bool direct = primitive.dst_desc() == result.get_desc();
  memory target = direct ? result : memory(primitive.dst_desc(), engine());
  Forward(primitive).execute(stream(), {{DNNL_ARG_SRC, source}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, target}});
  if (!direct) dnnl::reorder(target, result).execute(stream(), target, result);
  stream().wait();
  return true;
}

Expected<bool> convolve(EvalContext& ctx, const reference::ConvolutionGeometry& g) {
  const Tensor& data = ctx.input(0);
  const Tensor& filters = ctx.input(1);
  Tensor& out = ctx.output(0);
  if (!is_accelerated(data.element_type()) || data.element_count() == 0 || filters.element_count() == 0 ||
      out.element_count() == 0)
    return false;
  MO_ASSIGN(const Tensor x, reference::to_compute(data));
  MO_ASSIGN(const Tensor w, reference::to_compute(filters));
  const Description d = describe(g, data.shape(), out.shape());
  bool done = false;
  MO_TRY(reference::compute_into(out, [&](Tensor& target) -> Expected<void> {
    MO_ASSIGN(done, guarded([&] {
                return g.transposed
                           ? run<dnnl::deconvolution_forward>(x, w, target, d, dnnl::algorithm::deconvolution_direct)
                           : run<dnnl::convolution_forward>(x, w, target, d, dnnl::algorithm::convolution_direct);
              }));
    return {};
  }));
  return done;
}

template <class Op, bool grouped>
Expected<bool> forward(const void* payload, EvalContext& ctx) {
  const Op& op = *static_cast<const Op*>(payload);
  return convolve(ctx, convolution_geometry(ctx.input(0).shape(), ctx.input(1).shape(), ctx.output(0).shape(),
                                            {.grouped = grouped}, 1, window_of(op)));
}

template <class Op, bool grouped>
Expected<bool> backward(const void* payload, EvalContext& ctx) {
  const Op& op = *static_cast<const Op*>(payload);
  return convolve(ctx, convolution_backprop_geometry(ctx.input(0).shape(), ctx.input(1).shape(), ctx.output(0).shape(),
                                                     {.grouped = grouped, .transposed = true}, window_of(op),
                                                     op.output_padding, ctx.has_input(2)));
}

}  // namespace

void add_convolutions(KernelTable& table) {
  table.add(OpType::of<Convolution>(), forward<Convolution, false>);
  table.add(OpType::of<GroupConvolution>(), forward<GroupConvolution, true>);
  table.add(OpType::of<ConvolutionBackpropData>(), backward<ConvolutionBackpropData, false>);
  table.add(OpType::of<GroupConvolutionBackpropData>(), backward<GroupConvolutionBackpropData, true>);
}

}  // namespace mo::ops::accelerated
