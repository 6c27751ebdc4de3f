#include "ops/pooling.hpp"

#include "core/op/kernel_table.hpp"
#include "ops/accelerated/engine.hpp"

namespace mo::ops::accelerated {
namespace {

using dnnl::memory;

const std::vector<std::int64_t> kUndilated;

struct PoolDescription {
  memory::dims strides;
  memory::dims kernel;
  memory::dims pads_begin;
  memory::dims pads_end;
};

/// oneDNN has no windows that see nothing but padding, and counts padding differently where a last window is rounded
/// up: those cases are left to the portable kernel.
bool describe(const reference::Window& window, std::size_t spatial_rank, bool counts_padding, PoolDescription& d) {
  for (std::size_t i = 3 - spatial_rank; i < 3; ++i) {
    const reference::WindowAxisGeometry& axis = window.axes[i];
    const std::int64_t needed = (axis.out - 1) * axis.stride + axis.kernel - axis.in - axis.pad_begin;
    const std::int64_t pad_end = std::max(axis.pad_end, needed);
    if (axis.dilation != 1 || axis.pad_begin >= axis.kernel || pad_end >= axis.kernel) return false;
    if (counts_padding && needed > axis.pad_end) return false;
    d.strides.push_back(axis.stride);
    d.kernel.push_back(axis.kernel);
    d.pads_begin.push_back(axis.pad_begin);
    d.pads_end.push_back(pad_end);
  }
  return true;
}

bool run(const Tensor& data, Tensor& out, const PoolDescription& d, dnnl::algorithm algorithm) {
  const memory::desc from = plain({data.shape().begin(), data.shape().end()});
  const memory::desc to = plain({out.shape().begin(), out.shape().end()});
  const dnnl::pooling_forward::desc description(dnnl::prop_kind::forward_inference, algorithm, from, to, d.strides,
                                                d.kernel, d.pads_begin, d.pads_end);
  const dnnl::pooling_forward::primitive_desc primitive(description, engine());
  dnnl::pooling_forward(primitive).execute(stream(), {{DNNL_ARG_SRC, view(from, data)}, {DNNL_ARG_DST, view(to, out)}});
  stream().wait();
  return true;
}

template <class Op>
Expected<bool> pool(const Op& op, EvalContext& ctx, dnnl::algorithm algorithm) {
  const Tensor& data = ctx.input(0);
  Tensor& out = ctx.output(0);
  if (!is_accelerated(data.element_type()) || data.element_count() == 0 || out.element_count() == 0) return false;
  const WindowAttributes attributes{op.strides, op.pads_begin, op.pads_end, kUndilated, op.auto_pad};
  PoolDescription d;
  if (!describe(make_window(data.shape(), op.kernel, out.shape(), attributes), op.kernel.size(),
                algorithm == dnnl::algorithm::pooling_avg_include_padding, d))
    return false;
  std::int64_t operations = out.element_count();
  for (const std::int64_t size : op.kernel) operations *= size;
  if (!is_worth_it(operations)) return false;
  MO_ASSIGN(const Tensor x, reference::to_compute(data));
  bool done = false;
  MO_TRY(reference::compute_into(out, [&](Tensor& target) -> Expected<void> {
    MO_ASSIGN(done, guarded([&] { return run(x, target, d, algorithm); }));
    return {};
  }));
  return done;
}

Expected<bool> max_pool(const void* payload, EvalContext& ctx) {
  return pool(*static_cast<const v1::MaxPool*>(payload), ctx, dnnl::algorithm::pooling_max);
}

template <class Op>
Expected<bool> average_pool(const void* payload, EvalContext& ctx) {
  const Op& op = *static_cast<const Op*>(payload);
  return pool(
      op, ctx,
      op.exclude_pad ? dnnl::algorithm::pooling_avg_exclude_padding : dnnl::algorithm::pooling_avg_include_padding);
}

}  // namespace

void add_poolings(KernelTable& table) {
  table.add(OpType::of<v1::MaxPool>(), max_pool);
  table.add(OpType::of<v1::AvgPool>(), average_pool<v1::AvgPool>);
  table.add(OpType::of<v14::AvgPool>(), average_pool<v14::AvgPool>);
}

}  // namespace mo::ops::accelerated
