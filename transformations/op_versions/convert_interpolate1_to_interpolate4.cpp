#include "core/registry/pass_registry.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/interpolate.hpp"
#include "ops/shape_of.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {
namespace {

using Mode4 = ops::v4::InterpolateMode;

/// Up to two spatial dimensions `linear_onnx` computes what linear of opset1 does, and runtimes are faster at it.
std::optional<Mode4> mode_of(ops::v0::InterpolateMode mode, std::int64_t rank) {
  if (mode == ops::v0::InterpolateMode::nearest) return Mode4::nearest;
  if (mode == ops::v0::InterpolateMode::cubic) return Mode4::cubic;
  if (mode != ops::v0::InterpolateMode::linear || rank > 5) return std::nullopt;
  return rank < 5 ? Mode4::linear_onnx : Mode4::linear;
}

/// lengths / old lengths along the axes.
Value factors(Rewriter& rw, const Value& data, const Value& lengths, const std::vector<std::int64_t>& axes) {
  const auto as_real = [&](const Value& x) { return rw.fold(ops::Convert{.destination_type = ElementType::f32}, x); };
  Value old;
  if (const auto shape = data.type().shape.to_shape()) {
    std::vector<std::int64_t> sizes;
    for (const std::int64_t axis : axes)
      if (const auto place = normalize_axis(axis, static_cast<std::int64_t>(shape->size())))
        sizes.push_back((*shape)[static_cast<std::size_t>(*place)]);
    old = rw.integers(sizes);
  } else {
    old = rw.create(ops::v7::Gather{}, rw.create(ops::v3::ShapeOf{}, data), rw.integers(axes),
                    rw.scalar<std::int64_t>(0));
  }
  return rw.fold(ops::Divide{}, as_real(lengths), as_real(old));
}

}  // namespace

void register_convert_interpolate1_to_interpolate4(PassRegistry& passes) {
  passes.offer(rewrite("ConvertInterpolate1ToInterpolate4")
                   .described("Interpolate.v1(x, lengths)", "Interpolate.v4(x, lengths, lengths / old lengths, axes)",
                              "the rank is known; nearest, cubic, or linear up to rank 5")
                   .match(pattern::op<ops::v0::Interpolate>())
                   .replace(of_op<ops::v0::Interpolate>(
                       [](const Node& node, const ops::v0::Interpolate& op, Rewriter& rw) -> Replacement {
                         const auto rank = node.input_type(0).rank();
                         if (!rank) return declined("the rank is unknown");
                         const auto mode = mode_of(op.mode, *rank);
                         if (!mode) return declined("opset4 has no such mode for this rank");
                         ops::v4::Interpolate made;
                         made.mode = *mode;
                         made.coordinate_transformation_mode = op.align_corners
                                                                   ? ops::InterpolateCoordinateMode::align_corners
                                                                   : ops::InterpolateCoordinateMode::asymmetric;
                         made.nearest_mode = ops::InterpolateNearestMode::simple;
                         made.antialias = op.antialias;
                         made.pads_begin = op.pads_begin;
                         made.pads_end = op.pads_end;
                         const Value lengths = node.input(1);
                         return rw.create(std::move(made), node.input(0), lengths,
                                          factors(rw, node.input(0), lengths, op.axes), rw.integers(op.axes));
                       })));
}

}  // namespace mo::transformations
