#include <algorithm>
#include <map>
#include <numeric>

#include "core/graph/values.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/interpolate.hpp"
#include "ops/shape_of.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

bool pads(const ops::v11::Interpolate& op) {
  const auto is_pad = [](std::int64_t v) { return v != 0; };
  return std::any_of(op.pads_begin.begin(), op.pads_begin.end(), is_pad) ||
         std::any_of(op.pads_end.begin(), op.pads_end.end(), is_pad);
}

/// Modes that resize one axis after the other in any case.
bool is_separable(const ops::v11::Interpolate& op) {
  using ops::reference::InterpolateMode;
  return (op.mode == InterpolateMode::nearest || op.mode == InterpolateMode::cubic ||
          op.mode == InterpolateMode::linear) &&
         !op.antialias;
}

RewriteRule of_newest_class() {
  const Pat x = any();
  const Pat inner_lengths = any();
  const Pat inner_axes = any();
  const Pat outer_lengths = any();
  const Pat outer_axes = any();
  const Pat inner = op<ops::v11::Interpolate>(x, inner_lengths, inner_axes).one_use();
  const Pat outer = op<ops::v11::Interpolate>(inner, outer_lengths, outer_axes);
  return rewrite("InterpolateSequenceFusionOfOpset11")
      .match(outer)
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const Node node = m.root().node();
        const auto& op = *node.as<ops::v11::Interpolate>();
        const auto rank = m[x].type().rank();
        auto axes = integers_of(m[inner_axes]);
        const auto more = integers_of(m[outer_axes]);
        if (!rank || !axes || !more || pads(op) || !is_separable(op))
          return declined("axes or rank are unknown, it pads, or its mode is not separable");
        if (!same_attributes(node.op_type(), node.payload(), m.node(inner).payload()))
          return declined("the attributes differ");
        if (m[inner_lengths].type().element_type != m[outer_lengths].type().element_type)
          return declined("the lengths differ in type");
        axes->insert(axes->end(), more->begin(), more->end());
        for (std::int64_t& axis : *axes) {
          const auto place = normalize_axis(axis, *rank);
          if (!place) return Replacement::declined();
          axis = *place;
        }
        // In the order of the dimensions, which is what runtimes look for.
        std::vector<std::int64_t> places(axes->size());
        std::iota(places.begin(), places.end(), 0);
        std::sort(places.begin(), places.end(), [&](std::int64_t a, std::int64_t b) {
          return (*axes)[static_cast<std::size_t>(a)] < (*axes)[static_cast<std::size_t>(b)];
        });
        std::sort(axes->begin(), axes->end());
        if (std::adjacent_find(axes->begin(), axes->end()) != axes->end()) return declined("an axis is resized twice");
        Value lengths = rw.fold(ops::Concat{.axis = 0}, m[inner_lengths], m[outer_lengths]);
        if (!std::is_sorted(places.begin(), places.end()))
          lengths = rw.fold(ops::v8::Gather{}, lengths, rw.integers(places), rw.scalar<std::int64_t>(0));
        return rw.create(ops::v11::Interpolate{op}, m[x], lengths, rw.integers(*axes));
      });
}

/// Of opset 4 and 11 (class 4), which has lengths and factors.
using Resize = ops::v4::Interpolate;

/// The length along each axis, or the factor: what the mode goes by.
using Targets = std::map<std::int64_t, double>;

std::optional<Targets> targets_of(const Node& node) {
  const auto rank = node.input_type(0).rank();
  if (!rank || node.in_port_count() != 4) return std::nullopt;
  const bool by_size = node.as<Resize>()->shape_calculation_mode == ops::InterpolateShapeMode::sizes;
  const auto numbers = constant_reals_of(node.input(by_size ? 1 : 2));
  const auto axes = constant_integers_of(node.input(3));
  if (!numbers || !axes || numbers->size() != axes->size()) return std::nullopt;
  Targets targets;
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto axis = normalize_axis((*axes)[i], *rank);
    if (!axis || !targets.emplace(*axis, (*numbers)[i]).second) return std::nullopt;
  }
  return targets;
}

/// Both steps can be one: axis by axis, without pads that the other would stretch.
bool is_separable(const Resize& op, const Targets& targets, std::int64_t rank) {
  if (op.antialias) return false;  // the filter covers all axes
  const auto is_zero = [](std::int64_t n) { return n == 0; };
  if (!std::all_of(op.pads_begin.begin(), op.pads_begin.end(), is_zero) ||
      !std::all_of(op.pads_end.begin(), op.pads_end.end(), is_zero))
    return false;
  // The kernel of this mode knows images only.
  return op.mode != ops::v4::InterpolateMode::linear_onnx ||
         (static_cast<std::int64_t>(targets.size()) == rank - 2 && targets.begin()->first == 2);
}

Value lengths_of(Rewriter& rw, const Value& data, const Value& axes) {
  const Value shape = rw.create(ops::v3::ShapeOf{}, data);
  const Value lengths = rw.create(ops::v8::Gather{}, shape, axes, rw.integers({0}));
  return rw.create(ops::Convert{.destination_type = ElementType::f32}, lengths);
}

RewriteRule of_class_4() {
  const Pat inner = op<Resize>().one_use();
  const Pat outer = op<Resize>(inner, any(), any(), any());
  return rewrite("InterpolateSequenceFusionOfOpset4")
      .match(outer)
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const Node first = m.node(inner);
        const Node second = m.node(outer);
        if (!same_attributes(first.op_type(), first.payload(), second.payload()))
          return declined("the attributes differ");
        auto targets = targets_of(first);
        const auto more = targets_of(second);
        if (!targets || !more) return declined("axes, or lengths or factors, are not constants");
        for (const auto& [axis, target] : *more)
          if (!targets->emplace(axis, target).second) return declined("both are along the same axis");
        const auto& op = *first.as<Resize>();
        const Value data = first.input(0);
        if (!is_separable(op, *targets, *data.type().rank())) return declined("the axes cannot be done at once");
        std::vector<std::int64_t> axes;
        std::vector<double> numbers;
        for (const auto& [axis, target] : *targets) {
          axes.push_back(axis);
          numbers.push_back(target);
        }
        const Value axes_made = rw.integers(axes);
        if (op.shape_calculation_mode == ops::InterpolateShapeMode::sizes) {
          const Value wanted = rw.integers({numbers.begin(), numbers.end()});
          const Value real = rw.create(ops::Convert{.destination_type = ElementType::f32}, wanted);
          return rw.create(op, data, wanted, rw.create(ops::Divide{}, real, lengths_of(rw, data, axes_made)),
                           axes_made);
        }
        const Value factors = reals_like(rw, {}, {static_cast<std::int64_t>(numbers.size())}, numbers);
        // A little more, so that a product which is a whole number up to rounding is not rounded down to the next one.
        const Value product = rw.create(ops::Multiply{}, lengths_of(rw, data, axes_made), factors);
        const Value enlarged = rw.create(ops::Multiply{}, product, reals_like(rw, {}, {}, {1 + 1e-6}));
        const Value length =
            rw.create(ops::Convert{.destination_type = ElementType::i64}, rw.create(ops::Floor{}, enlarged));
        return rw.create(op, data, length, factors, axes_made);
      });
}

}  // namespace

/// Interpolate(Interpolate(x, s1, axes1), s2, axes2) -> Interpolate(x, s1 and s2, axes1 and axes2) for different axes
/// and equal attributes.
void register_interpolate_sequence_fusion(PassRegistry& passes) {
  passes.add(
      graph_rewrite("InterpolateSequenceFusion")
          .described("Interpolate(Interpolate(x))", "Interpolate(x)",
                     "classes 4 and 11; the same attributes, different axes, constant axes; class 4: constant lengths "
                     "(or factors, where the mode goes by them); intermediate results have no other readers")
          .run_after({"NearestUpsamplingFusion"})
          .add(of_newest_class())
          .add(of_class_4()));
}

}  // namespace mo::transformations
