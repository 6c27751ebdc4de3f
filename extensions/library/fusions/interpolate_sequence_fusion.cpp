#include "core/graph/values.hpp"
#include "extensions/library/support/fusing.hpp"
#include "ops/convert.hpp"
#include "ops/gather.hpp"
#include "ops/interpolate.hpp"
#include "ops/shape_of.hpp"

namespace mo::library::fusions {
namespace {

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
  const auto is_zero = [](std::int64_t n) { return n == 0; };
  if (!std::all_of(op.pads_begin.begin(), op.pads_begin.end(), is_zero) || !std::all_of(op.pads_end.begin(), op.pads_end.end(), is_zero))
    return false;
  // The kernel of this mode knows images only.
  return op.mode != ops::v4::InterpolateMode::linear_onnx || (static_cast<std::int64_t>(targets.size()) == rank - 2 && targets.begin()->first == 2);
}

Value lengths_of(Rewriter& rw, const Value& data, const Value& axes) {
  const Value shape = rw.create(ops::v3::ShapeOf{}, data);
  const Value lengths = rw.create(ops::v8::Gather{}, shape, axes, rw.integers({0}));
  return rw.create(ops::Convert{.destination_type = ElementType::f32}, lengths);
}

}  // namespace

void register_interpolate_sequence_fusion(PassLibrary& library) {
  using namespace pattern;
  const Pat inner = op<Resize>().one_use();
  const Pat outer = op<Resize>(inner, any(), any(), any());
  library.add(rewrite("InterpolateSequenceFusion")
                  .described("Interpolate.v4(Interpolate.v4(x))", "Interpolate.v4(x)",
                             "the same attributes, different axes, constant axes and lengths (or factors, where the mode goes by them); nobody else "
                             "reads what lies between")
                  .match(outer)
                  .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                    const Node first = m.node(inner);
                    const Node second = m.node(outer);
                    if (!same_attributes(first.op_type(), first.payload(), second.payload())) return declined("the attributes differ");
                    auto targets = targets_of(first);
                    const auto more = targets_of(second);
                    if (!targets || !more) return declined("axes, or lengths or factors, are no constants");
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
                      return rw.create(op, data, wanted, rw.create(ops::Divide{}, real, lengths_of(rw, data, axes_made)), axes_made);
                    }
                    const Value factors = reals_like(rw, {}, {static_cast<std::int64_t>(numbers.size())}, numbers);
                    // A little more, so that a product which is a whole number up to rounding is not rounded down to the next one.
                    const Value product = rw.create(ops::Multiply{}, lengths_of(rw, data, axes_made), factors);
                    const Value enlarged = rw.create(ops::Multiply{}, product, reals_like(rw, {}, {}, {1 + 1e-6}));
                    const Value length = rw.create(ops::Convert{.destination_type = ElementType::i64}, rw.create(ops::Floor{}, enlarged));
                    return rw.create(op, data, length, factors, axes_made);
                  }));
}

}  // namespace mo::library::fusions
