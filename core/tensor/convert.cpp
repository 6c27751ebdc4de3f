#include "core/tensor/convert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/tensor/half.hpp"
#include "core/tensor/packing.hpp"
#include "core/tensor/saturating_convert.hpp"
#include "core/tensor/small_real.hpp"
#include "core/tensor/visit.hpp"

namespace mo {
namespace {

/// Real to integer without undefined behaviour.
template <class To, class From>
To wrapped(From value) {
  if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (std::is_same_v<To, float16> || std::is_same_v<To, bfloat16>) {
    return To(static_cast<float>(value));
  } else if constexpr (std::is_same_v<From, float16> || std::is_same_v<From, bfloat16>) {
    return wrapped<To>(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(value)) return 0;
    // The limits of To as From may round up to 2^n, so compare with >=.
    if (value >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    if (value <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

/// The largest finite number of a real type.
template <class To>
double largest_real() {
  if constexpr (std::is_same_v<To, float16>) return 65504;
  if constexpr (std::is_same_v<To, bfloat16>) return 3.3895313892515355e38;
  if constexpr (std::is_floating_point_v<To>) return static_cast<double>(std::numeric_limits<To>::max());
  return 0;
}

template <class To>
constexpr bool kIsReal = std::is_floating_point_v<To> || std::is_same_v<To, float16> || std::is_same_v<To, bfloat16>;

/// The same, but the nearest number that To has.
template <class To, class From>
To limited(From value) {
  if constexpr (std::is_integral_v<From> && std::is_integral_v<To> && !std::is_same_v<From, bool> &&
                !std::is_same_v<To, bool>) {
    if (std::in_range<To>(value)) return static_cast<To>(value);
    return std::cmp_less(value, 0) ? std::numeric_limits<To>::min() : std::numeric_limits<To>::max();
  } else if constexpr (kIsReal<To> && !std::is_same_v<From, bool>) {
    const auto real = static_cast<double>(value);  // whole numbers may round, which no limit is near to
    if (std::isfinite(real) && std::abs(real) > largest_real<To>())
      return wrapped<To>(std::copysign(largest_real<To>(), real));
    return wrapped<To>(value);
  } else {
    return wrapped<To>(value);
  }
}

enum class BeyondLimits { wraps, saturates };

/// i4 -> i8, u1 … u6 -> u8.
Expected<Tensor> unpack(const Tensor& tensor) {
  MO_ASSIGN(Tensor patterns, unpacked_patterns(tensor));
  if (tensor.element_type() != ElementType::i4) return patterns;
  for (std::byte& b : patterns.mutable_bytes())
    if (std::to_integer<unsigned>(b) > 7) b |= std::byte{0xF0};
  return patterns.reinterpreted(ElementType::i8);
}

/// A tensor of small reals -> f32.
Expected<Tensor> small_reals_as_f32(const Tensor& tensor) {
  const std::array<float, 256>& values = small_real_values(tensor.element_type());
  Tensor patterns = tensor;
  if (is_sub_byte(tensor.element_type())) { MO_ASSIGN(patterns, unpacked_patterns(tensor)); }
  MO_ASSIGN(Tensor result, Tensor::allocate(ElementType::f32, tensor.shape()));
  const std::span<const std::byte> in = patterns.bytes();
  const std::span<float> out = result.mutable_values<float>();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = values[std::to_integer<std::size_t>(in[i])];
  return result;
}

/// f32 -> small reals.
Expected<Tensor> as_small_reals(const Tensor& numbers, ElementType type, BeyondLimits beyond) {
  MO_ASSIGN(Tensor patterns, Tensor::allocate(ElementType::u8, numbers.shape()));
  const std::span<const float> in = numbers.values<float>();
  const std::span<std::byte> out = patterns.mutable_bytes();
  const BeyondLargest largest =
      beyond == BeyondLimits::saturates ? BeyondLargest::largest : BeyondLargest::as_runtimes_convert;
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = static_cast<std::byte>(nearest_small_real(type, in[i], largest));
  return is_sub_byte(type) ? packed_patterns(patterns, type) : patterns.reinterpreted(type);
}

/// The numbers of less than a byte that `wide` (i8 or u8) holds, limited to those that `type` has.
Expected<Tensor> limited_bytes(const Tensor& wide, ElementType type) {
  MO_ASSIGN(Tensor result, Tensor::allocate(wide.element_type(), wide.shape()));
  const auto limit = [&]<class T>(std::type_identity<T>, int low, int high) {
    const std::span<const T> in = wide.values<T>();
    const std::span<T> out = result.mutable_values<T>();
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = static_cast<T>(std::clamp<int>(in[i], low, high));
  };
  if (type == ElementType::i4)
    limit(std::type_identity<std::int8_t>{}, -8, 7);
  else
    limit(std::type_identity<std::uint8_t>{}, 0, (1 << bit_width(type)) - 1);
  return result;
}

template <class To>
Expected<Tensor> convert_to(const Tensor& tensor, BeyondLimits beyond) {
  MO_ASSIGN(Tensor result, Tensor::allocate(element_type_of<To>, tensor.shape()));
  const std::span<To> out = result.mutable_values<To>();
  if (tensor.element_type() == ElementType::boolean) {  // bytes of a model: anything but 0 is true
    const std::span<const std::byte> in = tensor.bytes();
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = wrapped<To>(in[i] != std::byte{0});
    return result;
  }
  visit_type(tensor.element_type(), [&]<class From>(std::type_identity<From>) {
    const std::span<const From> in = tensor.values<From>();
    if (beyond == BeyondLimits::wraps)
      for (std::size_t i = 0; i < in.size(); ++i) out[i] = wrapped<To>(in[i]);
    else
      for (std::size_t i = 0; i < in.size(); ++i) out[i] = limited<To>(in[i]);
  });
  return result;
}

Expected<Tensor> converted(const Tensor& tensor, ElementType type, BeyondLimits beyond) {
  if (tensor.element_type() == type) return tensor;
  MO_ASSIGN(Tensor in, tensor.load());
  if (bit_width(type) == 0 || bit_width(in.element_type()) == 0)
    return error("MO-CORE-0004", "{} cannot be converted to {}", to_string(in.element_type()), to_string(type));
  const bool saturates = beyond == BeyondLimits::saturates || holds_reals(in.element_type());  // reals always do
  if (is_small_real(in.element_type())) {
    MO_ASSIGN(in, small_reals_as_f32(in));
  } else if (is_sub_byte(in.element_type())) {
    MO_ASSIGN(in, unpack(in));
  }
  if (is_small_real(type)) {
    MO_ASSIGN(in, converted(in, ElementType::f32, beyond));
    return as_small_reals(in, type, beyond);
  }
  if (is_sub_byte(type)) {
    MO_ASSIGN(Tensor wide, converted(in, type == ElementType::i4 ? ElementType::i8 : ElementType::u8, beyond));
    if (saturates) { MO_ASSIGN(wide, limited_bytes(wide, type)); }
    return packed_patterns(wide, type);
  }
  return visit_type(type,
                    [&]<class To>(std::type_identity<To>) -> Expected<Tensor> { return convert_to<To>(in, beyond); });
}

}  // namespace

Expected<Tensor> convert(const Tensor& tensor, ElementType type) {
  return converted(tensor, type, BeyondLimits::wraps);
}
Expected<Tensor> convert_saturating(const Tensor& tensor, ElementType type) {
  return converted(tensor, type, BeyondLimits::saturates);
}

Expected<std::vector<std::int64_t>> to_integers(const Tensor& tensor) {
  MO_ASSIGN(const Tensor wide, convert(tensor, ElementType::i64));
  MO_ASSIGN(const Tensor loaded, wide.load());
  const auto values = loaded.values<std::int64_t>();
  return std::vector<std::int64_t>(values.begin(), values.end());
}

Expected<std::vector<double>> to_reals(const Tensor& tensor) {
  MO_ASSIGN(const Tensor wide, convert(tensor, ElementType::f64));
  MO_ASSIGN(const Tensor loaded, wide.load());
  const auto values = loaded.values<double>();
  return std::vector<double>(values.begin(), values.end());
}

Expected<Tensor> from_integers(ElementType type, Shape shape, const std::vector<std::int64_t>& values) {
  return convert(Tensor::of<std::int64_t>(std::move(shape), values), type);
}

Expected<Tensor> from_reals(ElementType type, Shape shape, const std::vector<double>& values) {
  return convert(Tensor::of<double>(std::move(shape), values), type);
}

Expected<std::vector<std::string>> to_strings(const Tensor& tensor) {
  if (tensor.element_type() != ElementType::string)
    return error("MO-CORE-0004", "{} is not a tensor of strings", to_string(tensor.element_type()));
  MO_ASSIGN(const Tensor loaded, tensor.load());
  const auto bytes = loaded.bytes();
  const auto number = [&](std::size_t index) {
    std::int32_t v = 0;
    std::memcpy(&v, bytes.data() + 4 * index, 4);
    return v;
  };
  const auto broken = [] { return error("MO-CORE-0003", "a packed tensor of strings is inconsistent"); };
  const auto count = static_cast<std::size_t>(loaded.element_count());
  if (bytes.size() < 8 || count > bytes.size() / 4 || bytes.size() < 4 * (count + 2) ||
      number(0) != static_cast<std::int32_t>(count))
    return broken();
  const std::size_t start = 4 * (count + 2);
  std::vector<std::string> strings;
  strings.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t begin = number(1 + i);
    const std::int32_t end = number(2 + i);
    if (begin < 0 || end < begin || static_cast<std::size_t>(end) > bytes.size() - start) return broken();
    strings.emplace_back(reinterpret_cast<const char*>(bytes.data()) + start + begin,
                         static_cast<std::size_t>(end - begin));
  }
  return strings;
}

Tensor from_strings(Shape shape, const std::vector<std::string>& values) {
  std::size_t size = 4 * (values.size() + 2);
  for (const std::string& v : values) size += v.size();
  auto heap = HeapBuffer::allocate(size);
  MO_ASSERT(heap, "no memory for strings");
  std::byte* out = (*heap)->mutable_bytes();
  const auto put = [&](std::size_t index, std::size_t v) {
    const auto n = static_cast<std::int32_t>(v);
    std::memcpy(out + 4 * index, &n, 4);
  };
  put(0, values.size());
  put(1, 0);
  std::size_t end = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::memcpy(out + 4 * (values.size() + 2) + end, values[i].data(), values[i].size());
    end += values[i].size();
    put(2 + i, end);
  }
  auto tensor = Tensor::from_buffer(ElementType::string, std::move(shape), *std::move(heap));
  MO_ASSERT(tensor, "strings do not fill the shape");
  return *std::move(tensor);
}

}  // namespace mo
