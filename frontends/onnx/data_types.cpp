#include "frontends/onnx/data_types.hpp"

#include <fmt/core.h>

#include <array>
#include <string_view>

namespace mo::onnx {
namespace {

struct Row {
  std::string_view name;
  std::optional<ElementType> type;
};

// ONNX IR version 10, TensorProto.DataType, by number (FLOAT4E2M1 and FLOAT8E8M0 came later).
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
};

const Row* find(std::int64_t data_type) {
  return data_type >= 0 && data_type < static_cast<std::int64_t>(kRows.size()) ? &kRows[static_cast<std::size_t>(data_type)] : nullptr;
}

}  // namespace

std::optional<ElementType> element_type_of(std::int64_t data_type) {
  const Row* row = find(data_type);
  return row ? row->type : std::nullopt;
}

std::string data_type_name(std::int64_t data_type) {
  const Row* row = find(data_type);
  return row ? std::string(row->name) : fmt::format("type {}", data_type);
}

}  // namespace mo::onnx
