#include <limits>

#include "onnx_emitter/support/scatter_loop.hpp"
#include "ops/scatter.hpp"

namespace mo::onnx_emitter {
namespace {

using Reduction = ops::v12::ElementsReduction;

/// How ONNX calls a reduction: as an attribute of ScatterElements since an op set, and as an operator.
struct ReductionForm {
  const char* attribute;
  std::int64_t since;
  const char* op;
};

ReductionForm reduction_form(Reduction reduction) {
  switch (reduction) {
    case Reduction::prod: return {"mul", 16, "Mul"};
    case Reduction::min: return {"min", 18, "Min"};
    case Reduction::max: return {"max", 18, "Max"};
    case Reduction::none: return {"none", 11, ""};
    case Reduction::sum:
    case Reduction::mean: break;
  }
  return {"add", 16, "Add"};
}

/// Indices are i32 or i64.
Value element_indices(Translation& t) {
  const ElementType type = t.node.input_type(1).element_type;
  return type == ElementType::i32 ? t.input(1) : t.input_i64(1);
}

/// The number that a reduction does not change others by, a scalar.
Expected<Value> neutral_element(Translation& t, Reduction reduction, ElementType type) {
  const bool is_min = reduction == Reduction::min;
  if (reduction == Reduction::prod) return t.scalar(type, 1);
  if (reduction != Reduction::max && !is_min) return t.scalar(type, 0);
  if (is_real(type)) {
    const double infinity = std::numeric_limits<double>::infinity();
    return t.scalar(type, is_min ? infinity : -infinity);
  }
  const auto width = static_cast<unsigned>(bit_width(type));
  std::int64_t low = 0;
  std::int64_t high = -1;  // all bits, which is the largest u64
  if (is_signed(type)) low = -(std::int64_t{1} << (width - 2)) * 2;
  if (is_signed(type)) high = ((std::int64_t{1} << (width - 2)) - 1) * 2 + 1;
  if (!is_signed(type) && width < 64) high = (std::int64_t{1} << width) - 1;
  MO_ASSIGN(Tensor number, from_integers(type, {}, {is_min ? high : low}));
  return t.constant(std::move(number));
}

/// `value` at the places of the updates.
Value put_at_updates(Translation& t, const Value& data, const Value& indices, const Value& value, std::int64_t axis) {
  const Value all = t.op("Expand", {value, t.op("Shape", {indices})});
  return t.op("ScatterElements", {data, indices, all}, {{"axis", axis}});
}

Value reduced_elements(Translation& t, const ScatterInputs& scatter, std::int64_t axis, Reduction reduction) {
  const ReductionForm form = reduction_form(reduction);
  if (t.opset < form.since) return scattered_elements(t, scatter, axis, form.op);
  AttributeMap attributes{{"axis", axis}};
  if (form.since > 11) attributes.set("reduction", form.attribute);
  return t.op("ScatterElements", {scatter.data, scatter.indices, scatter.updates}, std::move(attributes));
}

Expected<Outputs> scatter_elements(Translation& t, Reduction reduction, bool use_init_val) {
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.axes(3));
  MO_ASSIGN(const std::int64_t rank, t.rank());
  const std::int64_t axis = axes.front();
  const ElementType given = t.node.output_type().element_type;
  const bool is_mean = reduction == Reduction::mean;
  if (is_mean && !is_real(given)) return t.refused("the mean of integers");
  // Truth values: Or is the larger one, And the smaller one.
  const bool is_logical = given == ElementType::boolean && reduction != Reduction::none;
  if (is_logical && reduction == Reduction::sum) reduction = Reduction::max;
  if (is_logical && reduction == Reduction::prod) reduction = Reduction::min;
  const ElementType type = is_logical ? ElementType::i32 : given;
  ScatterInputs scatter{sizes::typed_input(t, 0, type),
                        element_indices(t),
                        sizes::typed_input(t, 2, type),
                        {type, PartialShape::of_rank(static_cast<std::size_t>(rank))}};
  if (!use_init_val && reduction != Reduction::none) {
    Value neutral = t.scalar(type, reduction == Reduction::min ? 1 : 0);
    if (!is_logical) { MO_ASSIGN(neutral, neutral_element(t, reduction, type)); }
    scatter.data = put_at_updates(t, scatter.data, scatter.indices, neutral, axis);
  }
  Value result = reduced_elements(t, scatter, axis, reduction);
  if (is_mean) {
    ScatterInputs counts = scatter;
    const Value one = t.scalar(type, 1);
    counts.data = t.op("Expand", {one, t.op("Shape", {scatter.data})});
    counts.updates = t.op("Expand", {one, t.op("Shape", {scatter.updates})});
    if (!use_init_val) counts.data = put_at_updates(t, counts.data, counts.indices, t.scalar(type, 0), axis);
    result = t.op("Div", {result, reduced_elements(t, counts, axis, Reduction::sum)});
  }
  return Outputs{type == given ? result : t.cast(result, given)};
}

}  // namespace

void register_scatter_elements(OnnxForms& table) {
  table.add<ops::v3::ScatterElementsUpdate>([](Translation& t) { return scatter_elements(t, Reduction::none, true); });
  table.add<ops::v12::ScatterElementsUpdate>([](Translation& t) {
    const auto& op = *t.node.as<ops::v12::ScatterElementsUpdate>();
    return scatter_elements(t, op.reduction, op.use_init_val);
  });
}

}  // namespace mo::onnx_emitter
