#include "ops/pooling.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"
#include "onnx_emitter/support/products.hpp"
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

/// A window of ceil_mode that would begin after the image is none, for mo as for engines; up to op set 21, the
/// inference of ONNX counts it where it knows the size. Such a pooling rounds down, with more pads at the end of
/// dimensions that need them. `may_pad`: pads do not count.
template <class Op>
void round_down(const Translation& t, const std::vector<std::int64_t>& given_dilations, bool may_pad,
                AttributeMap& attributes) {
  const auto* const given = std::as_const(attributes).find("pads");
  const PartialShape& image = t.node.input_type(0).shape;
  const PartialShape& result = t.node.output_type().shape;
  if (!attributes.find("ceil_mode") || !given || !image.has_rank() || !result.has_rank()) return;
  const auto& op = *t.node.as<Op>();
  const std::vector<std::int64_t> strides = ones_if_empty(op.strides, op.kernel.size());
  const std::vector<std::int64_t> dilations = ones_if_empty(given_dilations, op.kernel.size());
  std::vector<std::int64_t> pads = *given->template get_if<std::vector<std::int64_t>>();
  bool has_none_after = false;
  for (std::size_t i = 0; i < op.kernel.size(); ++i) {
    std::int64_t& end = pads[op.kernel.size() + i];
    const std::int64_t reach = (op.kernel[i] - 1) * dilations[i] + 1;
    if (!image[i + 2].is_known() || !result[i + 2].is_known()) {
      const bool is_padded = pads[i] != 0 || end != 0;
      if (strides[i] == 1 || (reach == 1 && !is_padded)) continue;  // the same number of windows
      if (!may_pad || end != 0 || strides[i] > op.kernel[i]) return;
      end = strides[i] - 1;  // all windows that begin in the image, and none after it
      continue;
    }
    const std::int64_t room = image[i + 2].value() + pads[i] + end - reach;
    if (room < 0) return;
    const std::int64_t last = result[i + 2].value() - 1;
    has_none_after = has_none_after || (room + strides[i] - 1) / strides[i] > last;
    if (room / strides[i] == last) continue;
    end += last * strides[i] - room;
    if (!may_pad || end >= op.kernel[i]) return;  // engines want pads smaller than the window
  }
  if (!has_none_after) return;
  attributes.erase("ceil_mode");
  attributes.set("pads", std::move(pads));
}

/// Indices count in the tensor from the dimension `axis` on; those of ONNX in all of it.
template <class Op>
Expected<Outputs> max_pool(Translation& t) {
  std::vector<std::int64_t> dilations;
  if constexpr (requires(const Op& op) { op.dilations; }) dilations = t.node.as<Op>()->dilations;
  AttributeMap attributes = pooling_window<Op>(t, dilations);
  if (!dilations.empty()) attributes.set("dilations", dilations);
  round_down<Op>(t, dilations, true, attributes);
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

/// Sums of what lies in each window of padded data: a Slice for each place in a window, whose last window ends with the
/// data.
Value window_sums(Translation& t, const Value& data, const std::vector<std::int64_t>& kernel,
                  const std::vector<std::int64_t>& strides, const std::vector<std::int64_t>& dilations) {
  std::vector<std::int64_t> axes;
  std::vector<std::int64_t> place(kernel.size(), 0);
  for (std::size_t i = 0; i < kernel.size(); ++i) axes.push_back(static_cast<std::int64_t>(i) + 2);
  Value sum;
  for (bool is_done = false; !is_done;) {
    std::vector<std::int64_t> from;
    std::vector<std::int64_t> to;
    for (std::size_t i = 0; i < kernel.size(); ++i) {
      const std::int64_t left = (kernel[i] - 1 - place[i]) * dilations[i];  // elements of the window after the place
      from.push_back(place[i] * dilations[i]);
      to.push_back(left == 0 ? sizes::kAfterLast : -left);
    }
    const Value part = t.op("Slice", {data, t.integers(from), t.integers(to), t.integers(axes), t.integers(strides)});
    sum = sum ? t.op("Add", {sum, part}) : part;
    is_done = true;
    for (std::size_t i = kernel.size(); i-- > 0;) {
      if (++place[i] < kernel[i]) {
        is_done = false;
        break;
      }
      place[i] = 0;
    }
  }
  return sum;
}

/// The operator has dilations since op set 19.
template <class Op>
Expected<Outputs> dilated_avg_pool(Translation& t, const std::vector<std::int64_t>& dilations) {
  const auto& op = *t.node.as<Op>();
  constexpr std::int64_t kMostPlaces = 256;
  std::int64_t places = 1;
  for (const std::int64_t size : op.kernel) places *= std::min(size, kMostPlaces + 1);
  const AttributeMap window = pooling_window<Op>(t, dilations);
  const auto* const pads = window.find("pads");
  if (is_ceil(op.rounding_type) || places > kMostPlaces || !pads) return t.needs_opset(19);
  const std::vector<std::int64_t> given = *pads->template get_if<std::vector<std::int64_t>>();
  const auto half = static_cast<std::ptrdiff_t>(op.kernel.size());
  std::vector<std::int64_t> all(2, 0);
  all.insert(all.end(), given.begin(), given.begin() + half);
  all.insert(all.end(), 2, 0);
  all.insert(all.end(), given.begin() + half, given.end());
  const std::vector<std::int64_t> strides = ones_if_empty(op.strides, op.kernel.size());
  const ElementType type = t.node.output_type().element_type;
  const auto sums = [&](const Value& data) {
    return window_sums(t, t.op("Pad", {data, t.integers(all)}), op.kernel, strides, dilations);
  };
  Value count = t.scalar(type, static_cast<double>(places));
  if (op.exclude_pad) {
    const Value image = sizes::part(t, t.op("Shape", {t.input(0)}), 0, 2, sizes::kAfterLast);
    const Value shape = t.op("Concat", {t.integers({1, 1}), image}, {{"axis", 0}});
    count = sums(sizes::filled(t, shape, type, 1));
  }
  return Outputs{t.op("Div", {sums(t.input(0)), count})};
}

template <class Op>
Expected<Outputs> avg_pool(Translation& t) {
  std::vector<std::int64_t> dilations;
  if constexpr (requires(const Op& op) { op.dilations; }) dilations = t.node.as<Op>()->dilations;
  AttributeMap attributes = pooling_window<Op>(t, dilations);
  const bool is_dilated = std::any_of(dilations.begin(), dilations.end(), [](std::int64_t d) { return d != 1; });
  if (is_dilated && t.opset < 19) return dilated_avg_pool<Op>(t, dilations);
  if (is_dilated) attributes.set("dilations", dilations);
  // Runtimes want pads smaller than the window: wider ones that count are zeros of the data.
  const auto* const pads = std::as_const(attributes).find("pads");
  const std::vector<std::int64_t> wide =
      pads ? *pads->template get_if<std::vector<std::int64_t>>() : std::vector<std::int64_t>();
  const auto& op = *t.node.as<Op>();
  const auto is_wide = [&](std::size_t i) { return wide[i] >= op.kernel[i % op.kernel.size()]; };
  bool has_wide = false;
  for (std::size_t i = 0; i < wide.size(); ++i) has_wide = has_wide || is_wide(i);
  if (has_wide && !op.exclude_pad && !is_ceil(op.rounding_type)) {
    std::vector<std::int64_t> all(2, 0);
    all.insert(all.end(), wide.begin(), wide.begin() + static_cast<std::ptrdiff_t>(op.kernel.size()));
    all.insert(all.end(), 2, 0);
    all.insert(all.end(), wide.begin() + static_cast<std::ptrdiff_t>(op.kernel.size()), wide.end());
    attributes.set("pads", std::vector<std::int64_t>(wide.size(), 0));
    return Outputs{t.op("AveragePool", {t.op("Pad", {t.input(0), t.integers(all)})}, std::move(attributes))};
  }
  // Without pads there are none to count, and with ceil_mode ONNX Runtime up to 1.28 counts beyond the image.
  const bool has_pads = !pads || std::any_of(wide.begin(), wide.end(), [](std::int64_t pad) { return pad != 0; });
  const bool counts_pads = !op.exclude_pad && has_pads;
  if (counts_pads) attributes.set("count_include_pad", 1);
  round_down<Op>(t, dilations, !counts_pads, attributes);
  return Outputs{t.op("AveragePool", {t.input(0)}, std::move(attributes))};
}

/// Means of windows of different sizes: a product with a constant matrix along each dimension.
Value mean_windows(Translation& t, const Value& value, std::int64_t axis, std::int64_t from, std::int64_t to,
                   ElementType type) {
  std::vector<double> weights(static_cast<std::size_t>(from * to), 0.0);
  for (std::int64_t x = 0; x < to; ++x) {
    const std::int64_t first = x * from / to;
    const std::int64_t end = ((x + 1) * from + to - 1) / to;
    for (std::int64_t i = first; i < end; ++i)
      weights[static_cast<std::size_t>(i * to + x)] = 1.0 / static_cast<double>(end - first);
  }
  const Value matrix = t.constant(*from_reals(type, {from, to}, weights));
  return product_along(t, value, axis, static_cast<std::int64_t>(*t.node.input_type(0).rank()), matrix);
}

/// One result for each channel, or windows of equal size where the output divides the image.
Expected<AttributeMap> equal_windows(Translation& t, bool& is_global) {
  const PartialShape& from = t.node.input_type(0).shape;
  const PartialShape& to = t.node.output_type().shape;
  std::vector<std::int64_t> kernel;
  MO_TRY(t.rank());
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
  const PartialShape& from = t.node.input_type(0).shape;
  const PartialShape& to = t.node.output_type().shape;
  bool has_parts = false;
  bool is_known = from.has_rank() && to.has_rank();
  for (std::size_t i = 2; is_known && i < to.size(); ++i) {
    is_known = from[i].is_known() && to[i].is_known() && to[i].value() > 0;
    has_parts = has_parts || (is_known && from[i].value() % to[i].value() != 0);
  }
  if (is_known && has_parts) {
    Value value = t.input(0);
    for (std::size_t i = 2; i < to.size(); ++i)
      value = mean_windows(t, value, static_cast<std::int64_t>(i), from[i].value(), to[i].value(),
                           t.node.output_type().element_type);
    return Outputs{value};
  }
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

void register_pooling(OnnxForms& table) {
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
