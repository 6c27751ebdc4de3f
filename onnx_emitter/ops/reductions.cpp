#include <algorithm>
#include <numeric>

#include "core/graph/values.hpp"
#include "onnx_emitter/support/computed_axes.hpp"
#include "onnx_emitter/translator.hpp"
#include "ops/cum_sum.hpp"
#include "ops/reduce.hpp"

namespace mo::onnx_emitter {
namespace {

/// Axes are an attribute up to op set 17, of ReduceSum up to 12. Without axes the IR gives the data.
Expected<Outputs> reduced(Translation& t, const Value& data, const std::string& type, bool keep_dims) {
  const std::int64_t first_with_input = type == "ReduceSum" ? 13 : 18;
  AttributeMap attributes{{"keepdims", keep_dims ? 1 : 0}};
  if (!integers_of(t.node.input(1)) && t.opset >= first_with_input) {
    attributes.set("noop_with_empty_axes", 1);
    return Outputs{t.op(type, {data, t.input_vector(1)}, std::move(attributes))};
  }
  if (!integers_of(t.node.input(1))) {
    MO_ASSIGN(const std::int64_t rank, t.rank());
    return Outputs{reduced_along_computed(t, data, type, t.input_vector(1), rank, keep_dims)};
  }
  MO_ASSIGN(const std::vector<std::int64_t> axes, t.signed_axes(1));
  if (axes.empty()) return Outputs{t.op("Identity", {data})};
  return Outputs{t.with_axes(type, data, axes, std::move(attributes), first_with_input)};
}

template <class Op>
OnnxForm reduction(std::string type) {
  return [type = std::move(type)](Translation& t) { return reduced(t, t.input(0), type, t.node.as<Op>()->keep_dims); };
}

/// A reduction of all dimensions of images, which stay with size 1, has an operator of its own.
template <class Op>
OnnxForm image_reduction(std::string type, std::string of_images) {
  return [type = std::move(type), of_images = std::move(of_images)](Translation& t) -> Expected<Outputs> {
    const auto rank = t.node.input_type(0).rank();
    if (rank && *rank > 2 && t.node.as<Op>()->keep_dims && is_real(t.node.output_type().element_type) &&
        integers_of(t.node.input(1))) {
      MO_ASSIGN(std::vector<std::int64_t> axes, t.axes(1));
      std::sort(axes.begin(), axes.end());
      std::vector<std::int64_t> spatial(*rank - 2);
      std::iota(spatial.begin(), spatial.end(), 2);
      if (axes == spatial) return Outputs{t.op(of_images, {t.input(0)})};
    }
    return reduced(t, t.input(0), type, t.node.as<Op>()->keep_dims);
  };
}

/// Truth values as integers: runtimes lack reductions of 8 bits. The sum is 0 for no elements, as Or demands.
template <class Op>
OnnxForm logical_reduction(std::string type) {
  return [type = std::move(type)](Translation& t) -> Expected<Outputs> {
    const Value numbers = t.cast(t.input(0), ElementType::i32);
    MO_ASSIGN(const Outputs made, reduced(t, numbers, type, t.node.as<Op>()->keep_dims));
    return Outputs{t.cast(made.front(), ElementType::boolean)};
  };
}

Expected<Outputs> cum_sum(Translation& t) {
  const auto& op = *t.node.as<ops::CumSum>();
  const Value axis = t.node.in_port_count() > 1 && t.input(1) ? t.input_i64(1) : t.scalar(ElementType::i64, 0);
  return Outputs{
      t.op("CumSum", {t.input(0), axis}, {{"exclusive", op.exclusive ? 1 : 0}, {"reverse", op.reverse ? 1 : 0}})};
}

}  // namespace

void register_reductions(OnnxForms& table) {
  table.add<ops::ReduceSum>(reduction<ops::ReduceSum>("ReduceSum"));
  table.add<ops::ReduceMean>(image_reduction<ops::ReduceMean>("ReduceMean", "GlobalAveragePool"));
  table.add<ops::ReduceMax>(image_reduction<ops::ReduceMax>("ReduceMax", "GlobalMaxPool"));
  table.add<ops::ReduceMin>(reduction<ops::ReduceMin>("ReduceMin"));
  table.add<ops::ReduceProd>(reduction<ops::ReduceProd>("ReduceProd"));
  table.add<ops::ReduceL1>(reduction<ops::ReduceL1>("ReduceL1"));
  table.add<ops::ReduceL2>(reduction<ops::ReduceL2>("ReduceL2"));
  table.add<ops::ReduceLogicalAnd>(logical_reduction<ops::ReduceLogicalAnd>("ReduceMin"));
  table.add<ops::ReduceLogicalOr>(logical_reduction<ops::ReduceLogicalOr>("ReduceSum"));
  table.add<ops::CumSum>(cum_sum);
}

}  // namespace mo::onnx_emitter
