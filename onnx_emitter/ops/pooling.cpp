#include "ops/pooling.hpp"

#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/support/window.hpp"

namespace mo::onnx_emitter {
namespace {

bool is_ceil(ops::RoundingType type) { return type == ops::RoundingType::ceil; }
/// Since op set 22 the operator means ceil_torch: the last window begins inside of the image or its begin pads.
bool is_ceil(ops::TorchRoundingType type) { return type != ops::TorchRoundingType::floor; }

/// Kernel, strides, pads and rounding.
template <class Op>
AttributeMap pooling_window(const Translation& t, const std::vector<std::int64_t>& dilations) {
  const auto& op = *t.node.as<Op>();
  const std::vector<std::int64_t> strides = ones_if_empty(op.strides, op.kernel.size());
  AttributeMap attributes{{"kernel_shape", op.kernel}, {"strides", strides}};
  if (is_ceil(op.rounding_type)) attributes.set("ceil_mode", 1);
  set_pads(t, op, op.kernel, strides, ones_if_empty(dilations, op.kernel.size()), attributes);
  return attributes;
}

/// Indices count in the tensor from the dimension `axis` on; those of ONNX in all of it.
template <class Op>
Expected<Outputs> max_pool(Translation& t) {
  std::vector<std::int64_t> dilations;
  if constexpr (requires(const Op& op) { op.dilations; }) dilations = t.node.as<Op>()->dilations;
  AttributeMap attributes = pooling_window<Op>(t, dilations);
  if (!dilations.empty()) attributes.set("dilations", dilations);
  const bool wants_indices = t.node.out_port_count() > 1 && !t.node.out_port(1).disconnected();
  if (!wants_indices) {
    Outputs made{t.op("MaxPool", {t.input(0)}, std::move(attributes))};
    made.resize(t.node.out_port_count());
    return made;
  }
  if constexpr (requires(const Op& op) { op.index_element_type; }) {
    const std::int64_t axis = t.node.as<Op>()->axis;
    Outputs made = t.ops("MaxPool", {t.input(0)}, 2, std::move(attributes));
    if (axis != 0) {
      const Value sizes_after = sizes::part(t, t.op("Shape", {t.input(0)}), 0, axis, sizes::kAfterLast);
      made[1] = t.op("Mod", {made[1], t.op("ReduceProd", {sizes_after}, {{"keepdims", 0}})}, {{"fmod", 0}});
    }
    const ElementType type = t.node.as<Op>()->index_element_type;
    if (type != ElementType::i64) made[1] = t.cast(made[1], type);
    return made;
  }
  return t.refused("a second output");
}

template <class Op>
Expected<Outputs> avg_pool(Translation& t) {
  std::vector<std::int64_t> dilations;
  if constexpr (requires(const Op& op) { op.dilations; }) dilations = t.node.as<Op>()->dilations;
  AttributeMap attributes = pooling_window<Op>(t, dilations);
  const bool is_dilated = std::any_of(dilations.begin(), dilations.end(), [](std::int64_t d) { return d != 1; });
  if (is_dilated && t.opset < 19) return t.needs_opset(19);
  if (is_dilated) attributes.set("dilations", dilations);
  if (!t.node.as<Op>()->exclude_pad) attributes.set("count_include_pad", 1);
  return Outputs{t.op("AveragePool", {t.input(0)}, std::move(attributes))};
}

/// One result for each channel, or windows of equal size where the output divides the image.
Expected<AttributeMap> equal_windows(Translation& t, bool& is_global) {
  const PartialShape& from = t.node.input_type(0).shape;
  const PartialShape& to = t.node.output_type().shape;
  std::vector<std::int64_t> kernel;
  is_global = true;
  for (std::size_t i = 2; i < to.size(); ++i) {
    if (!to[i].is_known()) return t.refused("the size of its result is computed");
    is_global = is_global && to[i].value() == 1;
  }
  if (is_global) return AttributeMap{};
  for (std::size_t i = 2; i < to.size(); ++i) {
    if (!from[i].is_known() || from[i].value() % to[i].value() != 0) return t.refused("windows of different sizes");
    kernel.push_back(from[i].value() / to[i].value());
  }
  return AttributeMap{{"kernel_shape", kernel}, {"strides", kernel}};
}

Expected<Outputs> adaptive_avg_pool(Translation& t) {
  bool is_global = false;
  MO_ASSIGN(AttributeMap attributes, equal_windows(t, is_global));
  return Outputs{t.op(is_global ? "GlobalAveragePool" : "AveragePool", {t.input(0)}, std::move(attributes))};
}

Expected<Outputs> adaptive_max_pool(Translation& t) {
  if (!t.node.out_port(1).disconnected()) return t.refused("the places of the largest elements");
  bool is_global = false;
  MO_ASSIGN(AttributeMap attributes, equal_windows(t, is_global));
  return Outputs{t.op(is_global ? "GlobalMaxPool" : "MaxPool", {t.input(0)}, std::move(attributes)), Value()};
}

}  // namespace

void register_pooling(TranslatorTable& table) {
  table.add<ops::v1::MaxPool>(max_pool<ops::v1::MaxPool>);
  table.add<ops::v8::MaxPool>(max_pool<ops::v8::MaxPool>);
  table.add<ops::v14::MaxPool>(max_pool<ops::v14::MaxPool>);
  table.add<ops::v1::AvgPool>(avg_pool<ops::v1::AvgPool>);
  table.add<ops::v14::AvgPool>(avg_pool<ops::v14::AvgPool>);
  table.add<ops::v16::AvgPool>(avg_pool<ops::v16::AvgPool>);
  table.add<ops::AdaptiveAvgPool>(adaptive_avg_pool);
  table.add<ops::AdaptiveMaxPool>(adaptive_max_pool);
}

}  // namespace mo::onnx_emitter
