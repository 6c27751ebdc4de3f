#include "frontends/onnx/data_types.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "core/tensor/half.hpp"

namespace mo::onnx {
namespace {

struct Row {
  std::string_view name;
  std::optional<ElementType> type;
};

// ONNX IR version 10, TensorProto.DataType, by number (those from FLOAT4E2M1 on came later).
constexpr std::array kRows{
    Row{"UNDEFINED", {}},
    Row{"FLOAT", ElementType::f32},
    Row{"UINT8", ElementType::u8},
    Row{"INT8", ElementType::i8},
    Row{"UINT16", ElementType::u16},
    Row{"INT16", ElementType::i16},
    Row{"INT32", ElementType::i32},
    Row{"INT64", ElementType::i64},
    Row{"STRING", ElementType::string},
    Row{"BOOL", ElementType::boolean},
    Row{"FLOAT16", ElementType::f16},
    Row{"DOUBLE", ElementType::f64},
    Row{"UINT32", ElementType::u32},
    Row{"UINT64", ElementType::u64},
    Row{"COMPLEX64", {}},
    Row{"COMPLEX128", {}},
    Row{"BFLOAT16", ElementType::bf16},
    Row{"FLOAT8E4M3FN", {}},
    Row{"FLOAT8E4M3FNUZ", {}},
    Row{"FLOAT8E5M2", {}},
    Row{"FLOAT8E5M2FNUZ", {}},
    Row{"UINT4", ElementType::u4},
    Row{"INT4", ElementType::i4},
    Row{"FLOAT4E2M1", {}},
    Row{"FLOAT8E8M0", {}},
    Row{"UINT2", {}},
    Row{"INT2", {}},
};

const Row* find(std::int64_t data_type) {
  return data_type >= 0 && data_type < static_cast<std::int64_t>(kRows.size())
             ? &kRows[static_cast<std::size_t>(data_type)]
             : nullptr;
}

/// Which bit patterns are not finite.
enum class Special : std::uint8_t {
  none,           ///< all are finite
  all_ones,       ///< "FN": only the largest magnitude, it is NaN
  negative_zero,  ///< "FNUZ": only the pattern of -0, it is NaN
  ieee,           ///< the largest exponent: infinite with a mantissa of 0, else NaN
};

struct Format {
  std::int64_t data_type;  ///< TensorProto.DataType
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Special special;
};

// ONNX IR: "Float stored in 8 bits" and "Float stored in 4 bits".
constexpr std::array kFormats = {
    Format{17, 4, 3, 7, Special::all_ones},        // FLOAT8E4M3FN
    Format{18, 4, 3, 8, Special::negative_zero},   // FLOAT8E4M3FNUZ
    Format{19, 5, 2, 15, Special::ieee},           // FLOAT8E5M2
    Format{20, 5, 2, 16, Special::negative_zero},  // FLOAT8E5M2FNUZ
    Format{23, 2, 1, 1, Special::none},            // FLOAT4E2M1
};
/// Only an exponent, without sign.
constexpr std::int64_t kExponentOnly = 24;  // FLOAT8E8M0

const Format* format_of(std::int64_t data_type) {
  for (const Format& format : kFormats)
    if (format.data_type == data_type) return &format;
  return nullptr;
}

template <class T>
void fill(std::int64_t data_type, const Tensor& patterns, Tensor& numbers) {
  std::array<T, 256> table;
  for (std::size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<T>(small_float_value(data_type, static_cast<std::uint8_t>(i)));
  const bool packed = patterns.element_type() == ElementType::u4;
  const auto bytes = patterns.bytes();
  const auto out = numbers.mutable_values<T>();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto byte = std::to_integer<unsigned>(bytes[packed ? i / 2 : i]);
    // ONNX: the first of two numbers is in the low half of their byte.
    out[i] = table[packed ? (i % 2 == 0 ? byte & 15U : byte >> 4U) : byte];
  }
}

}  // namespace

std::int64_t data_type_of(ElementType type) {
  const auto row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.type == type; });
  return row == kRows.end() ? 0 : row - kRows.begin();
}

std::optional<ElementType> element_type_of(std::int64_t data_type) {
  const Row* row = find(data_type);
  return row ? row->type : std::nullopt;
}

std::string data_type_name(std::int64_t data_type) {
  const Row* row = find(data_type);
  return row ? std::string(row->name) : fmt::format("type {}", data_type);
}

std::optional<SmallFloat> small_float_of(std::int64_t data_type) {
  if (data_type == kExponentOnly) return SmallFloat{ElementType::u8, ElementType::f32};
  const Format* format = format_of(data_type);
  if (!format) return std::nullopt;
  const bool is_byte = format->exponent_bits + format->mantissa_bits == 7;
  return SmallFloat{is_byte ? ElementType::u8 : ElementType::u4, ElementType::f16};
}

float small_float_value(std::int64_t data_type, std::uint8_t bits) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  if (data_type == kExponentOnly) return bits == 255 ? kNan : std::ldexp(1.0F, bits - 127);
  const Format* format = format_of(data_type);
  MO_ASSERT(format != nullptr, "not a small float");
  const int magnitude_bits = format->exponent_bits + format->mantissa_bits;
  const int largest = (1 << magnitude_bits) - 1;
  const int magnitude = bits & largest;
  const bool negative = ((bits >> magnitude_bits) & 1) != 0;
  const int exponent = magnitude >> format->mantissa_bits;
  const int mantissa = magnitude & ((1 << format->mantissa_bits) - 1);
  switch (format->special) {
    case Special::none: break;
    case Special::all_ones:
      if (magnitude == largest) return kNan;
      break;
    case Special::negative_zero:
      if (negative && magnitude == 0) return kNan;
      break;
    case Special::ieee:
      if (exponent != (1 << format->exponent_bits) - 1) break;
      if (mantissa != 0) return kNan;
      return negative ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
  }
  // An exponent of 0 means 1, without the hidden leading one.
  const int significand = exponent == 0 ? mantissa : mantissa | (1 << format->mantissa_bits);
  const float value =
      std::ldexp(static_cast<float>(significand), std::max(exponent, 1) - format->bias - format->mantissa_bits);
  return negative ? -value : value;
}

Expected<Tensor> widen_small_floats(std::int64_t data_type, const Tensor& patterns) {
  const auto form = small_float_of(data_type);
  MO_ASSERT(form && form->stored == patterns.element_type(), "not the bit patterns of a small float");
  MO_ASSIGN(const Tensor loaded, patterns.load());
  MO_ASSIGN(Tensor numbers, Tensor::allocate(form->widened, patterns.shape()));
  if (form->widened == ElementType::f16)
    fill<float16>(data_type, loaded, numbers);
  else
    fill<float>(data_type, loaded, numbers);
  return numbers;
}

}  // namespace mo::onnx
