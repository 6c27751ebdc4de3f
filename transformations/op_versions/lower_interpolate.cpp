#include "core/tensor/convert.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/interpolate.hpp"
#include "ops/shape_of.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

using ops::InterpolateShapeMode;

/// The lengths of `data` along `axes` (all when absent) as i64.
Value lengths(Rewriter& rw, const Value& data, const Value& axes) {
  const Value shape = rw.create(ops::ShapeOf{}, data);
  return axes ? rw.create(ops::v1::Gather{}, shape, axes, rw.scalar<std::int64_t>(0)) : shape;
}

/// The input that the mode ignores: what it would be where inference knows that (a static model), else ones. No runtime
/// from 2021.4 to 2026.4 looks at it, and a computation would run with every inference.
template <typename T>
Value ignored(Rewriter& rw, const Value& would_be, const Value& given) {
  if (const Tensor* known = would_be.data().value()) return rw.constant(*known);
  const PartialShape& shape = given.type().shape;
  if (shape.rank() != 1 || !shape[0].is_known()) return would_be;
  return rw.constant(Tensor::vector(std::vector<T>(static_cast<std::size_t>(shape[0].value()), T{1})));
}

}  // namespace

/// Interpolate-11(x, lengths or factors, axes) -> Interpolate-4(x, lengths, factors, axes), which older runtimes know
/// too.
void register_lower_interpolate(PassRegistry& passes) {
  const Pat root = pattern::op<ops::v11::Interpolate>();
  passes.add(
      rewrite("LowerInterpolate")
          .phase(Phase::back)
          .run_before({"LowerOpSets"})
          .match(root)
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const Node node = m.root().node();
            const auto& op = *node.as<ops::v11::Interpolate>();
            const bool pillow = op.mode == ops::reference::InterpolateMode::bilinear_pillow ||
                                op.mode == ops::reference::InterpolateMode::bicubic_pillow;
            if (pillow) return Replacement::declined();
            ops::v4::Interpolate made{{.shape_calculation_mode = op.shape_calculation_mode,
                                       .coordinate_transformation_mode = op.coordinate_transformation_mode,
                                       .nearest_mode = op.nearest_mode,
                                       .antialias = op.antialias,
                                       .pads_begin = op.pads_begin,
                                       .pads_end = op.pads_end,
                                       .cube_coeff = op.cube_coeff}};
            const std::string_view mode = names_of(op.mode)[static_cast<std::size_t>(op.mode)];
            auto same_mode = AttributeCodec<ops::v4::InterpolateMode>::decode(mode);
            if (!same_mode) return std::move(same_mode).error();
            made.mode = *same_mode;

            const Value given = node.input(1);
            const Value axes = node.input(2) ? axes_from_the_front(rw, node.input(2), node.input(0)) : Value();
            Value sizes = given;
            Value scales = given;
            if (op.shape_calculation_mode == InterpolateShapeMode::sizes) {
              const Value now =
                  rw.create(ops::Convert{.destination_type = ElementType::f32}, lengths(rw, node.input(0), axes));
              scales = ignored<float>(
                  rw,
                  rw.create(ops::Divide{}, rw.create(ops::Convert{.destination_type = ElementType::f32}, given), now),
                  given);
              // The runtime of 2021.4 reads sizes of 32 bits as if they had 64.
              if (given.type().element_type == ElementType::i32)
                sizes = rw.fold(ops::Convert{.destination_type = ElementType::i64}, given);
            } else {
              const Value now = rw.create(ops::Convert{.destination_type = given.type().element_type},
                                          lengths(rw, node.input(0), axes));
              sizes = ignored<std::int64_t>(rw,
                                            rw.create(ops::Convert{.destination_type = ElementType::i64},
                                                      rw.create(ops::Floor{}, rw.create(ops::Multiply{}, now, given))),
                                            given);
            }
            std::vector<Value> inputs = {node.input(0), sizes, scales};
            if (axes) inputs.push_back(axes);
            return rw.create(std::move(made), inputs);
          }));
}

}  // namespace mo::transformations
