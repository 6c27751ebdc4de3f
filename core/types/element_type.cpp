#include "core/types/element_type.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

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
static_assert(kRows.size() <= kFirstNamedType && kRows.back().type == ElementType::string);

/// 0 beyond the known types.
constexpr auto kBits = [] {
  std::array<std::uint8_t, 256> bits{};
  for (const Row& row : kRows) bits[static_cast<std::size_t>(row.type)] = static_cast<std::uint8_t>(row.bits);
  return bits;
}();

/// Names are appended and never change: who has a type reads its name without a lock.
class TypeNames {
 public:
  std::string_view name(std::size_t index) const {
    if (index >= count_.load(std::memory_order_acquire)) return "unknown";  // of another copy of this library
    return {names_[index].text.data(), names_[index].size};
  }

  std::optional<std::size_t> intern(std::string_view name) {
    const std::lock_guard lock(mutex_);
    const std::size_t count = count_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < count; ++i)
      if (this->name(i) == name) return i;
    if (count == names_.size()) return std::nullopt;
    std::copy(name.begin(), name.end(), names_[count].text.begin());
    names_[count].size = name.size();
    count_.store(count + 1, std::memory_order_release);
    return count;
  }

 private:
  struct Name {
    std::array<char, kLongestTypeName> text{};
    std::size_t size = 0;
  };
  std::mutex mutex_;
  std::atomic<std::size_t> count_{0};
  std::array<Name, kMostNamedTypes> names_{};
};

TypeNames& names() {
  static TypeNames table;
  return table;
}

}  // namespace

bool is_type_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !name.empty() && name.size() <= kLongestTypeName && letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

std::optional<ElementType> named_element_type(std::string_view name) {
  if (!is_type_name(name)) return std::nullopt;
  if (const auto known = element_type_from(name)) return known;
  const auto index = names().intern(name);
  return index ? std::optional(static_cast<ElementType>(kFirstNamedType + *index)) : std::nullopt;
}

std::span<const ElementType> all_element_types() { return kAll; }

std::string_view to_string(ElementType type) {
  const auto index = static_cast<std::size_t>(type);
  return index < kRows.size() ? kRows[index].name : names().name(index - kFirstNamedType);
}

std::optional<ElementType> element_type_from(std::string_view name) {
  for (const Row& row : kRows)
    if (row.name == name) return row.type;
  return std::nullopt;
}

std::size_t bit_width(ElementType type) { return kBits[static_cast<std::size_t>(type)]; }

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
