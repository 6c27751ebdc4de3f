#include "ops/fourier.hpp"

#include <algorithm>
#include <limits>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/fourier.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {
namespace {

enum class Fourier { forward, inverse, from_real, to_real };

/// What inference makes of the axes: each with the length of its signal.
struct FourierAxes {
  std::vector<std::int64_t> axes;
  std::vector<Dimension> sizes;
};

/// Axes and signal lengths of data whose dimensions (without that of the complex numbers) are `dims`; nothing when the
/// axes are not known.
Expected<std::optional<FourierAxes>> fourier_axes(const InferContext& ctx, const std::vector<Dimension>& dims,
                                                  Fourier kind) {
  const auto given = ctx.integers(1);
  if (!given) return std::optional<FourierAxes>();
  FourierAxes result;
  MO_ASSIGN(result.axes, normalize_axes(ctx, *given, static_cast<std::int64_t>(dims.size())));
  if (result.axes.empty() && (kind == Fourier::from_real || kind == Fourier::to_real))
    return ctx.error("MO-OPS-0472", "no axis is given")
        .hint("a transform between real and complex numbers has at least one axis");
  const auto sizes = ctx.integers(2);
  for (std::size_t i = 0; i < result.axes.size(); ++i) {
    Dimension size = dims[static_cast<std::size_t>(result.axes[i])];
    if (kind == Fourier::to_real && i + 1 == result.axes.size()) size = (size - Dimension(1)) * Dimension(2);
    if (sizes && ((*sizes)[i] < -1 || (*sizes)[i] == 0 || (*sizes)[i] > (std::int64_t{1} << 40)))
      return ctx.error("MO-OPS-0471", "a signal length is {}", (*sizes)[i])
          .hint("give a length above 0, or -1 for the length of the data");
    if (ctx.has_input(2) && !sizes) size = Dimension();
    if (sizes && (*sizes)[i] > 0) size = Dimension((*sizes)[i]);
    result.sizes.push_back(size);
  }
  return std::optional<FourierAxes>(std::move(result));
}

Expected<void> infer_fourier(InferContext& ctx, Fourier kind) {
  MO_TRY(ctx.expect_inputs(2, 3));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_TRY(expect_indices(ctx, {1, 2}));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_TRY(ctx.expect_rank(2, 1, 1));
  if (const auto axes = list_length(ctx, 1), sizes = ctx.has_input(2) ? list_length(ctx, 2) : std::nullopt;
      axes && sizes && *axes != *sizes)
    return ctx.error("MO-OPS-0471", "{} signal lengths are given for {} axes", *sizes, *axes)
        .hint("give one length for each axis, or -1");
  const bool complex = kind != Fourier::from_real;
  MO_TRY(ctx.expect_rank(0, complex ? 2 : 1, std::numeric_limits<std::int64_t>::max()));
  const TensorType& data = ctx.input(0);
  if (!data.shape.has_rank()) {
    ctx.output(0, data.element_type, PartialShape::unknown_rank());
    return {};
  }
  std::vector<Dimension> dims = data.shape.dims();
  if (complex) {
    if (!dims.back().compatible(2))
      return ctx.error("MO-OPS-0473", "the last dimension of {} is not that of complex numbers", data.shape.to_string())
          .hint("it is 2: real and imaginary part");
    dims.pop_back();
  }
  MO_ASSIGN(const std::optional<FourierAxes> axes, fourier_axes(ctx, dims, kind));
  const bool keeps_sizes = (kind == Fourier::forward || kind == Fourier::inverse) && !ctx.has_input(2);
  if (!axes && !keeps_sizes) {
    std::fill(dims.begin(), dims.end(), Dimension());
  } else if (axes) {
    for (std::size_t i = 0; i < axes->axes.size(); ++i) dims[static_cast<std::size_t>(axes->axes[i])] = axes->sizes[i];
    if (kind == Fourier::from_real) {
      Dimension& last = dims[static_cast<std::size_t>(axes->axes.back())];
      last = last.floor_div(2) + Dimension(1);
    }
  }
  if (kind != Fourier::to_real) dims.emplace_back(2);
  ctx.output(0, data.element_type, PartialShape(std::move(dims)));
  return {};
}

Expected<void> evaluate_fourier(EvalContext& ctx, Fourier kind) {
  const bool inverse = kind == Fourier::inverse || kind == Fourier::to_real;
  MO_ASSIGN(std::vector<std::int64_t> axes, ctx.integers(1));
  std::vector<std::int64_t> sizes(axes.size(), -1);
  if (ctx.has_input(2)) { MO_ASSIGN(sizes, ctx.integers(2)); }
  MO_ASSIGN(Tensor data, convert(ctx.input(0), ElementType::f64));
  if (kind == Fourier::from_real) { MO_ASSIGN(data, reference::with_imaginary(data)); }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i] = *mo::normalize_axis(axes[i], data.rank() - 1);  // inference has checked them
    const bool mirror = kind == Fourier::to_real && i + 1 == axes.size();
    const std::int64_t length = data.shape()[static_cast<std::size_t>(axes[i])];
    if (sizes[i] < 0) sizes[i] = mirror ? std::max<std::int64_t>(2 * (length - 1), 0) : length;
    if (mirror) { MO_ASSIGN(data, reference::mirrored(data, axes[i], sizes[i])); }
    MO_ASSIGN(data, reference::fourier(data, axes[i], sizes[i], inverse));
  }
  if (kind == Fourier::from_real) {
    MO_ASSIGN(data, reference::resized(data, axes.back(), sizes.back() / 2 + 1));
  } else if (kind == Fourier::to_real) {
    MO_ASSIGN(data, reference::real_part(data));
  }
  MO_ASSIGN(data, convert(data, ctx.input(0).element_type()));
  ctx.set_output(0, std::move(data));
  return {};
}

}  // namespace

Expected<void> DFT::infer(InferContext& ctx) const { return infer_fourier(ctx, Fourier::forward); }
Expected<void> DFT::evaluate(EvalContext& ctx) const { return evaluate_fourier(ctx, Fourier::forward); }

Expected<void> IDFT::infer(InferContext& ctx) const { return infer_fourier(ctx, Fourier::inverse); }
Expected<void> IDFT::evaluate(EvalContext& ctx) const { return evaluate_fourier(ctx, Fourier::inverse); }

Expected<void> RDFT::infer(InferContext& ctx) const { return infer_fourier(ctx, Fourier::from_real); }
Expected<void> RDFT::evaluate(EvalContext& ctx) const { return evaluate_fourier(ctx, Fourier::from_real); }

Expected<void> IRDFT::infer(InferContext& ctx) const { return infer_fourier(ctx, Fourier::to_real); }
Expected<void> IRDFT::evaluate(EvalContext& ctx) const { return evaluate_fourier(ctx, Fourier::to_real); }

void register_fourier(OpRegistry& registry) {
  registry.add<DFT>();
  registry.add<IDFT>();
  registry.add<RDFT>();
  registry.add<IRDFT>();
}

}  // namespace mo::ops
