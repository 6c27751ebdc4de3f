#include "ops/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/graph/values.hpp"
#include "core/tensor/convert.hpp"
#include "onnx_emitter/support/products.hpp"
#include "onnx_emitter/support/sizes.hpp"
#include "onnx_emitter/translator.hpp"

namespace mo::onnx_emitter {
namespace {

/// The transforms of a node. The first dimension of the operator is a batch: data whose first dimension is transformed
/// gets one of size 1 before it, which `axes` count.
struct FourierAxes {
  std::vector<std::int64_t> axes;
  std::vector<std::optional<std::int64_t>> lengths;  ///< of the signals; nothing: as they are
  std::int64_t rank = 0;                             ///< of the data of the operator, with that of complex numbers
  bool has_new_batch = false;
  ElementType type = ElementType::f32;  ///< half types are transformed in f32
};

Expected<FourierAxes> fourier_axes_of(const Translation& t, bool is_complex) {
  FourierAxes found;
  MO_ASSIGN(const std::int64_t rank, t.rank());
  MO_ASSIGN(found.axes, t.axes(1, is_complex ? rank - 1 : rank));
  found.lengths.resize(found.axes.size());
  if (t.input(2)) {
    const auto lengths = integers_of(t.node.input(2));
    if (!lengths || lengths->size() != found.axes.size()) return t.refused("its signal lengths are computed");
    for (std::size_t i = 0; i < lengths->size(); ++i)
      if ((*lengths)[i] != -1) found.lengths[i] = (*lengths)[i];
  }
  found.rank = is_complex ? rank : rank + 1;
  found.has_new_batch = std::find(found.axes.begin(), found.axes.end(), 0) != found.axes.end();
  if (found.has_new_batch) {
    ++found.rank;
    for (std::int64_t& axis : found.axes) ++axis;
  }
  if (t.node.input_type(0).element_type == ElementType::f64) found.type = ElementType::f64;
  if (t.opset < 17 && found.type == ElementType::f64) return t.needs_opset(17);
  return found;
}

/// Input 0 as the operator takes it: real numbers have a last dimension of 1.
Value fourier_data(Translation& t, const FourierAxes& plan, bool is_complex) {
  Value data = sizes::typed_input(t, 0, plan.type);
  if (!is_complex) data = t.with_axes("Unsqueeze", data, {-1});
  return plan.has_new_batch ? t.with_axes("Unsqueeze", data, {0}) : data;
}

Value without_new_batch(Translation& t, const FourierAxes& plan, Value data) {
  if (plan.has_new_batch) data = t.with_axes("Squeeze", data, {0});
  const ElementType type = t.node.output_type().element_type;
  return type == plan.type ? data : t.cast(data, type);
}

/// Cosines or sines of 2 pi row column / n: [n, columns], f32.
Value fourier_matrix(Translation& t, std::string_view function, const Value& n, const Value& columns) {
  const Value rows = t.with_axes("Unsqueeze", sizes::counted(t, n), {1});
  const Value turns = t.op("Mod", {t.op("Mul", {rows, sizes::counted(t, columns)}), n}, {{"fmod", 0}});
  const Value part = t.op("Div", {t.cast(turns, ElementType::f32), t.cast(n, ElementType::f32)});
  return t.op(function, {t.op("Mul", {part, t.scalar(ElementType::f32, 2 * std::acos(-1.0))})});
}

/// One axis before op set 17, which has the operator: products with cosines and sines.
Value fourier_by_products(Translation& t, const FourierAxes& plan, Value data, std::int64_t axis,
                          std::optional<std::int64_t> length, bool is_onesided, bool is_inverse) {
  const std::int64_t last = plan.rank - 1;
  if (length) {
    std::vector<std::int64_t> pads(static_cast<std::size_t>(2 * plan.rank), 0);
    pads[static_cast<std::size_t>(plan.rank + axis)] = *length;
    data = sizes::part(t, t.op("Pad", {data, t.integers(pads)}), axis, 0, *length);
  }
  const Value n = length ? sizes::scalar(t, *length)
                         : t.op("Gather", {t.op("Shape", {data}), sizes::scalar(t, axis)}, {{"axis", 0}});
  const Value half = t.op("Add", {t.op("Div", {n, sizes::scalar(t, 2)}), sizes::scalar(t, 1)});
  const Value columns = is_onesided ? half : n;
  const Value cosines = fourier_matrix(t, "Cos", n, columns);
  const Value sines = fourier_matrix(t, "Sin", n, columns);
  const auto along = [&](const Value& value, const Value& matrix) {
    return product_along(t, value, axis, plan.rank, matrix);
  };
  const Value real = sizes::part(t, data, last, 0, 1);
  if (is_onesided) {  // of real numbers
    const Value imaginary = t.op("Neg", {along(real, sines)});
    return t.op("Concat", {along(real, cosines), imaginary}, {{"axis", last}});
  }
  const Value imaginary = sizes::part(t, data, last, 1, 2);
  const Value turned_real = along(imaginary, sines);
  const Value turned_imaginary = along(real, sines);
  const Value made_real = t.op(is_inverse ? "Sub" : "Add", {along(real, cosines), turned_real});
  const Value made_imaginary = t.op(is_inverse ? "Add" : "Sub", {along(imaginary, cosines), turned_imaginary});
  const Value made = t.op("Concat", {made_real, made_imaginary}, {{"axis", last}});
  return is_inverse ? t.op("Div", {made, t.cast(n, ElementType::f32)}) : made;
}

/// One axis. It is an attribute up to op set 19, an input since 20. A longer or shorter signal is filled up with zeros
/// or cut.
Value fourier_along(Translation& t, const FourierAxes& plan, const Value& data, std::int64_t axis,
                    std::optional<std::int64_t> length, const std::vector<std::string_view>& flags = {}) {
  const auto has = [&](std::string_view flag) { return std::find(flags.begin(), flags.end(), flag) != flags.end(); };
  if (t.opset < 17) return fourier_by_products(t, plan, data, axis, length, has("onesided"), has("inverse"));
  AttributeMap attributes;
  for (const std::string_view flag : flags) attributes.set(flag, 1);
  std::vector<Value> inputs{data, length ? sizes::scalar(t, *length) : Value()};
  if (t.opset >= 20)
    inputs.push_back(sizes::scalar(t, axis));
  else
    attributes.set("axis", axis);
  return t.op("DFT", std::move(inputs), std::move(attributes));
}

Value fourier_along_all(Translation& t, const FourierAxes& plan, Value data, std::size_t count, bool is_inverse) {
  const std::vector<std::string_view> flags =
      is_inverse ? std::vector<std::string_view>{"inverse"} : std::vector<std::string_view>{};
  for (std::size_t i = 0; i < count; ++i) data = fourier_along(t, plan, data, plan.axes[i], plan.lengths[i], flags);
  return data;
}

Expected<Outputs> complex_fourier(Translation& t, bool is_inverse) {
  MO_ASSIGN(const FourierAxes plan, fourier_axes_of(t, true));
  if (plan.axes.empty()) return Outputs{t.op("Identity", {t.input(0)})};
  const Value data = fourier_data(t, plan, true);
  return Outputs{without_new_batch(t, plan, fourier_along_all(t, plan, data, plan.axes.size(), is_inverse))};
}

/// The last axis first, of which real numbers need one half only; the order of axes does not matter.
Expected<Outputs> rdft(Translation& t) {
  MO_ASSIGN(const FourierAxes plan, fourier_axes_of(t, false));
  if (plan.axes.empty()) return t.refused("it has no axis");
  const Value half =
      fourier_along(t, plan, fourier_data(t, plan, false), plan.axes.back(), plan.lengths.back(), {"onesided"});
  return Outputs{without_new_batch(t, plan, fourier_along_all(t, plan, half, plan.axes.size() - 1, false))};
}

/// The first `count` elements along an axis, zeros after the last one.
Value fourier_resized(Translation& t, const FourierAxes& plan, Value data, std::int64_t axis, std::int64_t count,
                      const Dimension& size) {
  if (size == Dimension(count)) return data;
  if (!size.is_known() || size.value() < count) {
    std::vector<std::int64_t> pads(static_cast<std::size_t>(2 * plan.rank), 0);
    pads[static_cast<std::size_t>(plan.rank + axis)] = size.is_known() ? count - size.value() : count;
    data = t.op("Pad", {data, t.integers(pads)});
  }
  return size.is_known() && size.value() < count ? data : sizes::part(t, data, axis, 0, count);
}

/// The whole spectrum X of a real signal from its first half: X[n - k] is the conjugate of X[k].
Value whole_spectrum(Translation& t, const FourierAxes& plan, const Value& given, const Dimension& size,
                     std::optional<std::int64_t> length) {
  const std::int64_t axis = plan.axes.back();
  const std::int64_t kept = length ? *length / 2 + 1 : 0;
  const Value half = length ? fourier_resized(t, plan, given, axis, kept, size) : given;
  if (length && *length == kept) return half;
  // From X[n - kept] back to X[1]. Without a length n = 2 (kept - 1): from the last but one.
  const Value mirrored = sizes::part(t, half, axis, length ? *length - kept : -2, 0, -1);
  const Value signs = t.constant(*from_reals(plan.type, {2}, {1, -1}));
  return t.op("Concat", {half, t.op("Mul", {mirrored, signs})}, {{"axis", axis}});
}

/// Runtimes have no inverse of one half of a spectrum: the inverse of the whole one, and of it the real part.
Expected<Outputs> irdft(Translation& t) {
  MO_ASSIGN(const FourierAxes plan, fourier_axes_of(t, true));
  if (plan.axes.empty()) return t.refused("it has no axis");
  const std::int64_t axis = plan.axes.back();
  const Dimension& size = t.node.input_type(0).shape[static_cast<std::size_t>(plan.has_new_batch ? axis - 1 : axis)];
  std::optional<std::int64_t> length = plan.lengths.back();
  if (!length && size.is_known()) length = 2 * (size.value() - 1);
  if (length && *length < 1) return t.refused("an empty signal");
  const Value others = fourier_along_all(t, plan, fourier_data(t, plan, true), plan.axes.size() - 1, true);
  const Value spectrum = whole_spectrum(t, plan, others, size, length);
  const Value signal = fourier_along(t, plan, spectrum, axis, std::nullopt, {"inverse"});
  const Value real = t.op("Gather", {signal, sizes::scalar(t, 0)}, {{"axis", plan.rank - 1}});
  return Outputs{without_new_batch(t, plan, real)};
}

}  // namespace

void register_fourier(OnnxForms& table) {
  table.add<ops::DFT>([](Translation& t) { return complex_fourier(t, false); });
  table.add<ops::IDFT>([](Translation& t) { return complex_fourier(t, true); });
  table.add<ops::RDFT>(rdft);
  table.add<ops::IRDFT>(irdft);
}

}  // namespace mo::onnx_emitter
