#include "frontends/onnx/data_types.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/tensor/convert.hpp"
#include "core/tensor/half.hpp"
#include "core/tensor/packing.hpp"
#include "core/tensor/small_real.hpp"

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
    Row{"FLOAT8E4M3FN", ElementType::f8e4m3},
    Row{"FLOAT8E4M3FNUZ", {}},
    Row{"FLOAT8E5M2", ElementType::f8e5m2},
    Row{"FLOAT8E5M2FNUZ", {}},
    Row{"UINT4", ElementType::u4},
    Row{"INT4", ElementType::i4},
    Row{"FLOAT4E2M1", ElementType::f4e2m1},
    Row{"FLOAT8E8M0", ElementType::f8e8m0},
    Row{"UINT2", ElementType::u2},
    Row{"INT2", {}},
};

const Row* find(std::int64_t data_type) {
  return data_type >= 0 && data_type < static_cast<std::int64_t>(kRows.size())
             ? &kRows[static_cast<std::size_t>(data_type)]
             : nullptr;
}

constexpr std::int64_t kInt2 = 26;

struct Format {
  std::int64_t data_type;  ///< TensorProto.DataType
  SmallRealFormat bits;
};

// ONNX IR: "Float stored in 8 bits". The others of them are element types.
constexpr std::array kFormats = {
    Format{18, {4, 3, 8, NonFinite::negative_zero}},   // FLOAT8E4M3FNUZ
    Format{20, {5, 2, 16, NonFinite::negative_zero}},  // FLOAT8E5M2FNUZ
};

const Format* format_of(std::int64_t data_type) {
  for (const Format& format : kFormats)
    if (format.data_type == data_type) return &format;
  return nullptr;
}

/// Numbers of two bits with a sign.
Expected<Tensor> widen_int2(const Tensor& patterns) {
  MO_ASSIGN(const Tensor bytes, unpacked_patterns(patterns));
  MO_ASSIGN(Tensor numbers, Tensor::allocate(ElementType::i8, patterns.shape()));
  const auto out = numbers.mutable_values<std::int8_t>();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int number = std::to_integer<int>(bytes.bytes()[i]);
    out[i] = static_cast<std::int8_t>(number > 1 ? number - 4 : number);
  }
  return convert(numbers, ElementType::i4);
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

std::optional<WidenedType> widened_type_of(std::int64_t data_type) {
  if (data_type == kInt2) return WidenedType{ElementType::u2, ElementType::i4};
  if (format_of(data_type)) return WidenedType{ElementType::u8, ElementType::f16};
  return std::nullopt;
}

Expected<Tensor> widened(std::int64_t data_type, const Tensor& patterns) {
  const auto form = widened_type_of(data_type);
  MO_ASSERT(form && form->stored == patterns.element_type(), "not the bit patterns of a type that is widened");
  if (data_type == kInt2) return widen_int2(patterns);
  MO_ASSIGN(const Tensor loaded, patterns.load());
  MO_ASSIGN(Tensor numbers, Tensor::allocate(ElementType::f16, patterns.shape()));
  const auto out = numbers.mutable_values<float16>();
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<float16>(
        small_real_value(format_of(data_type)->bits, std::to_integer<std::uint8_t>(loaded.bytes()[i])));
  return numbers;
}

}  // namespace mo::onnx
