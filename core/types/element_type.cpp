#include "core/types/element_type.hpp"

#include <array>

namespace mo {
namespace {

struct Row {
  ElementType type;
  std::string_view name;
  std::size_t bits;
};

constexpr std::array kRows = {
    Row{ElementType::dynamic, "dynamic", 0}, Row{ElementType::boolean, "boolean", 8},
    Row{ElementType::bf16, "bf16", 16},      Row{ElementType::f16, "f16", 16},
    Row{ElementType::f32, "f32", 32},        Row{ElementType::f64, "f64", 64},
    Row{ElementType::i4, "i4", 4},           Row{ElementType::i8, "i8", 8},
    Row{ElementType::i16, "i16", 16},        Row{ElementType::i32, "i32", 32},
    Row{ElementType::i64, "i64", 64},        Row{ElementType::u1, "u1", 1},
    Row{ElementType::u2, "u2", 2},           Row{ElementType::u3, "u3", 3},
    Row{ElementType::u4, "u4", 4},           Row{ElementType::u6, "u6", 6},
    Row{ElementType::u8, "u8", 8},           Row{ElementType::u16, "u16", 16},
    Row{ElementType::u32, "u32", 32},        Row{ElementType::u64, "u64", 64},
    Row{ElementType::nf4, "nf4", 4},         Row{ElementType::f4e2m1, "f4e2m1", 4},
    Row{ElementType::f8e4m3, "f8e4m3", 8},   Row{ElementType::f8e5m2, "f8e5m2", 8},
    Row{ElementType::f8e8m0, "f8e8m0", 8},   Row{ElementType::string, "string", 0},
};

constexpr auto kAll = [] {
  std::array<ElementType, kRows.size() - 1> all{};
  for (std::size_t i = 1; i < kRows.size(); ++i) all[i - 1] = kRows[i].type;
  return all;
}();

constexpr bool rows_in_order() {
  for (std::size_t i = 0; i < kRows.size(); ++i)
    if (static_cast<std::size_t>(kRows[i].type) != i) return false;
  return true;
}
static_assert(rows_in_order(), "kRows is indexed by the enumerator");

}  // namespace

std::span<const ElementType> all_element_types() { return kAll; }

std::string_view to_string(ElementType type) { return kRows[static_cast<std::size_t>(type)].name; }

std::optional<ElementType> element_type_from(std::string_view name) {
  for (const Row& row : kRows)
    if (row.name == name) return row.type;
  return std::nullopt;
}

std::size_t bit_width(ElementType type) { return kRows[static_cast<std::size_t>(type)].bits; }

bool is_real(ElementType type) { return type >= ElementType::bf16 && type <= ElementType::f64; }
bool is_small_real(ElementType type) { return type >= ElementType::nf4 && type <= ElementType::f8e8m0; }
bool is_integral(ElementType type) { return type >= ElementType::i4 && type <= ElementType::u64; }
bool is_signed(ElementType type) { return type >= ElementType::bf16 && type <= ElementType::i64; }

std::optional<std::size_t> byte_size(ElementType type, std::int64_t count) {
  const std::size_t bits = bit_width(type);
  if (bits == 0 || count < 0) return std::nullopt;
  const auto n = static_cast<std::uint64_t>(count);
  if (bits < 8) {
    const std::uint64_t group_bytes = bits == 3 || bits == 6 ? 3 : 1;
    const std::uint64_t group = group_bytes * 8 / bits;  // elements that share these bytes
    return (n / group + (n % group != 0 ? 1 : 0)) * group_bytes;
  }
  const std::uint64_t bytes = bits / 8;
  if (n > static_cast<std::uint64_t>(INT64_MAX) / bytes) return std::nullopt;
  return n * bytes;
}

}  // namespace mo
