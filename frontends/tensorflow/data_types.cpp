#include "frontends/tensorflow/data_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace mo::tensorflow {
namespace {

struct Row {
  std::int64_t number;
  std::string_view name;
  ElementType type;  ///< dynamic: none
};

constexpr std::array kRows = {
    Row{1, "DT_FLOAT", ElementType::f32},        Row{2, "DT_DOUBLE", ElementType::f64},
    Row{3, "DT_INT32", ElementType::i32},        Row{4, "DT_UINT8", ElementType::u8},
    Row{5, "DT_INT16", ElementType::i16},        Row{6, "DT_INT8", ElementType::i8},
    Row{7, "DT_STRING", ElementType::string},    Row{8, "DT_COMPLEX64", ElementType::dynamic},
    Row{9, "DT_INT64", ElementType::i64},        Row{10, "DT_BOOL", ElementType::boolean},
    Row{11, "DT_QINT8", ElementType::i8},        Row{12, "DT_QUINT8", ElementType::u8},
    Row{13, "DT_QINT32", ElementType::i32},      Row{14, "DT_BFLOAT16", ElementType::bf16},
    Row{15, "DT_QINT16", ElementType::i16},      Row{16, "DT_QUINT16", ElementType::u16},
    Row{17, "DT_UINT16", ElementType::u16},      Row{18, "DT_COMPLEX128", ElementType::dynamic},
    Row{19, "DT_HALF", ElementType::f16},        Row{20, "DT_RESOURCE", ElementType::dynamic},
    Row{21, "DT_VARIANT", ElementType::dynamic}, Row{22, "DT_UINT32", ElementType::u32},
    Row{23, "DT_UINT64", ElementType::u64},
};
constexpr std::int64_t kReference = 100;

const Row* find(std::int64_t data_type) {
  const std::int64_t plain = data_type > kReference ? data_type - kReference : data_type;
  const auto found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.number == plain; });
  return found == kRows.end() ? nullptr : &*found;
}

}  // namespace

std::optional<ElementType> element_type_of(std::int64_t data_type) {
  const Row* row = find(data_type);
  return row && row->type != ElementType::dynamic ? std::optional(row->type) : std::nullopt;
}

std::string data_type_name(std::int64_t data_type) {
  const Row* row = find(data_type);
  return row ? std::string(row->name) : fmt::format("type {}", data_type);
}

std::int64_t data_type_of(ElementType type) {
  const auto is_plain = [&](const Row& row) {
    return row.type == type && row.type != ElementType::dynamic && !row.name.starts_with("DT_Q");
  };
  const auto found = std::find_if(kRows.begin(), kRows.end(), is_plain);
  return found == kRows.end() ? 0 : found->number;
}

std::int64_t data_type_named(std::string_view name) {
  constexpr std::string_view kSuffix = "_REF";
  const bool is_reference = name.ends_with(kSuffix);
  if (is_reference) name.remove_suffix(kSuffix.size());
  const auto found = std::find_if(kRows.begin(), kRows.end(), [&](const Row& row) { return row.name == name; });
  return found == kRows.end() ? 0 : found->number + (is_reference ? kReference : 0);
}

bool is_reference_type(std::int64_t data_type) { return data_type > kReference; }

std::optional<ElementType> complex_part_of(std::int64_t data_type) {
  const Row* row = find(data_type);
  if (row && row->name == "DT_COMPLEX64") return ElementType::f32;
  if (row && row->name == "DT_COMPLEX128") return ElementType::f64;
  return std::nullopt;
}

}  // namespace mo::tensorflow
