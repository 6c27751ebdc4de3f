#include "core/tensor/convert.hpp"
#include "ops/build/grid_sampling.hpp"
#include "ops/deformable_convolution.hpp"
#include "ops/mat_mul.hpp"
#include "ops/support/convolution.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

using build::Term;

/// Where the window of each position begins, and its elements, along axis `axis` (1: height, 2: width): [1, K, P]
/// without offsets.
Expected<Value> regular_places(Rewriter& rw, const ops::reference::Window& window, std::size_t axis, ElementType type) {
  const auto& y = window.axes[1];
  const auto& x = window.axes[2];
  const auto& own = window.axes[axis];
  std::vector<double> places;
  for (std::int64_t k = 0; k < y.kernel * x.kernel; ++k)
    for (std::int64_t p = 0; p < y.out * x.out; ++p) {
      const std::int64_t element = axis == 1 ? k / x.kernel : k % x.kernel;
      places.push_back(static_cast<double>(own.start(axis == 1 ? p / x.out : p % x.out) + element * own.dilation));
    }
  MO_ASSIGN(Tensor tensor, from_reals(type, {1, y.kernel * x.kernel, y.out * x.out}, places));
  return rw.constant(std::move(tensor));
}

/// DeformableConvolution with a mask, or with samples interpolated between data and padding -> filters * (what they see
/// at all positions).
Replacement deformable_convolution(const Node& node, Rewriter& rw) {
  const auto& op = *node.as<ops::v8::DeformableConvolution>();
  const Value mask = node.input(3);
  const auto data = node.input_type(0).shape.to_shape();
  const auto filters = node.input_type(2).shape.to_shape();
  const auto out = node.output_type().shape.to_shape();
  const ElementType type = node.output_type().element_type;
  if ((!mask && !op.bilinear_interpolation_pad) || !data || !filters || !out || !is_real(type))
    return Replacement::declined();
  const auto geometry = ops::convolution_geometry(*data, *filters, *out, {}, op.group, ops::window_of(op));
  const auto& y = geometry.window.axes[1];
  const auto& x = geometry.window.axes[2];
  const std::int64_t images = (*data)[0] * op.deformable_group;
  const std::int64_t kernel = y.kernel * x.kernel;
  const std::int64_t positions = y.out * x.out;
  constexpr std::int64_t kMostPlaces = std::int64_t{1} << 24;
  if (images < 1 || kernel < 1 || positions < 1 || kernel > kMostPlaces / positions) return Replacement::declined();
  const ElementType computed = type == ElementType::f64 ? ElementType::f64 : ElementType::f32;
  const auto reshaped = [&](const Value& value, const std::vector<std::int64_t>& shape) {
    return Term(rw,
                rw.create(ops::Reshape{.special_zero = false}, build::as_type(rw, value, computed), rw.integers(shape)),
                computed);
  };
  const Term moved = reshaped(node.input(1), {images, kernel, 2, positions});
  std::vector<Term> places;
  for (const std::size_t axis : {1, 2}) {
    MO_ASSIGN(const Value regular, regular_places(rw, geometry.window, axis, computed));
    const Value offset =
        rw.create(ops::v1::Gather{}, moved, rw.scalar(static_cast<std::int64_t>(axis) - 1), rw.scalar<std::int64_t>(2));
    places.push_back((Term(rw, offset, computed) + Term(rw, regular, computed)).reshaped({images, kernel * positions}));
  }
  using ops::reference::GridSamplePadding;
  const ops::GridSample how{.padding_mode =
                                op.bilinear_interpolation_pad ? GridSamplePadding::zeros : GridSamplePadding::border};
  Term seen = build::sampled_at(rw, reshaped(node.input(0), {images, (*data)[1] / op.deformable_group, y.in, x.in}),
                                places, how);
  if (!op.bilinear_interpolation_pad) {
    const auto on_image = [](const Term& place, std::int64_t length) {
      return both(greater_equal(place, 0), build::less(place, static_cast<double>(length)));
    };
    seen = build::choose(build::both(on_image(places[0], y.in), on_image(places[1], x.in)).unsqueezed({1}), seen, 0);
  }
  if (mask) seen = seen * reshaped(mask, {images, 1, kernel * positions});
  const std::int64_t depth = geometry.in_channels * kernel;
  const Term columns = reshaped(seen, {(*data)[0], op.group, depth, positions});
  const Term rows = reshaped(node.input(2), {1, op.group, geometry.out_channels, depth});
  const Value result = reshaped(rw.create(ops::MatMul{}, rows, columns), *out);
  return build::as_type(rw, result, type);
}

}  // namespace

/// Deformable convolutions of opset8, where shapes are static.
void register_lower_deformable_convolution(PassRegistry& passes) {
  passes.add(graph_rewrite("LowerDeformableConvolution")
                 .phase(Phase::back)
                 .run_before({"LowerOpSets"})
                 .add(where_too_new(lowering<ops::v8::DeformableConvolution>("DeformableConvolutionDecomposition",
                                                                             deformable_convolution))));
}

}  // namespace mo::transformations
