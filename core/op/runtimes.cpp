#include "core/op/runtimes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace mo {
namespace {

/// Op set n came with the release that is the first to have it here.
constexpr std::array kReleases = std::to_array<RuntimeRelease>({
    {"2020.1", 1},  {"2020.2", 2},  {"2020.3", 2},  {"2020.4", 3},  {"2021.1", 4},  {"2021.2", 5},  {"2021.3", 6},
    {"2021.4", 7},  {"2022.1", 8},  {"2022.2", 9},  {"2022.3", 10}, {"2023.0", 11}, {"2023.1", 12}, {"2023.2", 13},
    {"2023.3", 13}, {"2024.0", 14}, {"2024.1", 14}, {"2024.2", 14}, {"2024.3", 14}, {"2024.4", 14}, {"2024.5", 15},
    {"2024.6", 15}, {"2025.0", 16}, {"2025.1", 16}, {"2025.2", 16}, {"2025.3", 16}, {"2025.4", 16}, {"2026.0", 16},
    {"2026.1", 16}, {"2026.2", 16}, {"2026.3", 16}, {"2026.4", 16},
});

/// An op that the first release with its op set does not read: found by reading an IR with each op of the op sets 13 to
/// 16 in all releases from 2023.1 to 2025.4.
struct LateOp {
  int op_set = 0;
  std::string_view type;
  std::string_view release;  ///< the first one that reads it
};

constexpr std::array kLateOps = std::to_array<LateOp>({
    {13, "FakeConvert", "2023.3"},
    {13, "ScaledDotProductAttention", "2023.3"},
    {14, "AvgPool", "2024.1"},
    {14, "MaxPool", "2024.1"},
    {16, "AvgPool", "2025.3"},
    {16, "ISTFT", "2025.1"},
    {16, "OneHot", "2025.4"},
    {16, "SegmentMax", "2025.1"},
    {16, "SparseFillEmptyRows", "2025.2"},
});

/// Found by asking the CPU plugin of every release from 2023.1 on. Before 2025.3, u2 was packed from the high bits on.
constexpr std::array kTypes = std::to_array<ElementTypeReleases>({
    {ElementType::u2, "2025.3", "2026.4", "2026.0"},
    {ElementType::u3, "2024.1", "", ""},
    {ElementType::u6, "2024.1", "", ""},
    {ElementType::nf4, "2023.2", "2025.1", "2025.0"},
    {ElementType::f4e2m1, "2024.3", "2024.4", "2025.2"},
    {ElementType::f8e4m3, "2024.0", "2024.4", "2025.0"},
    {ElementType::f8e5m2, "2024.0", "2024.4", "2025.0"},
    {ElementType::f8e8m0, "2024.3", "2024.4", "2025.2"},
    {ElementType::string, "2023.3", "2023.3", "2023.3"},
});

/// By enumerator; kTypes.size() for types without a row.
constexpr auto kRowOfType = [] {
  std::array<std::size_t, static_cast<std::size_t>(ElementType::string) + 1> rows{};
  rows.fill(kTypes.size());
  for (std::size_t i = 0; i < kTypes.size(); ++i) rows[static_cast<std::size_t>(kTypes[i].type)] = i;
  return rows;
}();

using Release = std::pair<int, int>;  // year, number

std::optional<Release> read_release(std::string_view text) {
  Release release;
  const char* const end = text.data() + text.size();
  const auto year = std::from_chars(text.data(), end, release.first);
  if (year.ec != std::errc() || year.ptr == end || *year.ptr != '.') return std::nullopt;
  const auto number = std::from_chars(year.ptr + 1, end, release.second);
  if (number.ec != std::errc() || number.ptr == year.ptr + 1) return std::nullopt;
  int patch = 0;
  if (number.ptr == end) return release;
  const auto third = std::from_chars(number.ptr + 1, end, patch);
  if (*number.ptr != '.' || third.ec != std::errc() || third.ptr != end) return std::nullopt;
  return release;
}

/// Of a name in `kReleases`: four digits, a point, one digit.
constexpr Release release_of(std::string_view name) {
  int year = 0;
  for (const char digit : name.substr(0, 4)) year = year * 10 + (digit - '0');
  return {year, name[5] - '0'};
}
constexpr auto kNumbers = [] {
  std::array<Release, kReleases.size()> numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = release_of(kReleases[i].name);
  return numbers;
}();
static_assert(std::is_sorted(kNumbers.begin(), kNumbers.end()));

constexpr std::size_t kFirstOfVersion11 =
    std::find_if(kReleases.begin(), kReleases.end(), [](const RuntimeRelease& each) { return each.reads_v11(); }) -
    kReleases.begin();
static_assert(kReleases[kFirstOfVersion11].name == first_release::reading_version_11);
static_assert(kReleases[kFirstOfVersion11].op_set == kFirstOpSetOfVersion11);
static_assert(kReleases[kFirstOfVersion11 - 1].name == last_release::limited_to_version_10);
static_assert(kReleases[kFirstOfVersion11 - 1].op_set == kNewestOpSetOfVersion10);

}  // namespace

std::span<const RuntimeRelease> runtime_releases() { return kReleases; }

const RuntimeRelease& newest_runtime() { return kReleases.back(); }

const RuntimeRelease* find_runtime(std::string_view name) {
  if (name == "latest") return &kReleases.back();
  const auto wanted = read_release(name);
  if (!wanted) return nullptr;
  const auto after = std::upper_bound(kNumbers.begin(), kNumbers.end(), *wanted);
  return after == kNumbers.begin() ? nullptr : &kReleases[after - kNumbers.begin() - 1];
}

bool is_older(std::string_view name, std::string_view other) {
  const RuntimeRelease* const first = find_runtime(name);
  const RuntimeRelease* const second = find_runtime(other);
  return first && second && first < second;  // of one array, oldest first
}

const ElementTypeReleases* releases_with(ElementType type) {
  if (is_named(type)) return nullptr;  // no release is known to read it or not
  const std::size_t row = kRowOfType[static_cast<std::size_t>(type)];
  return row == kTypes.size() ? nullptr : &kTypes[row];
}

std::string_view late_release_of(int op_set, std::string_view type) {
  const auto late = std::find_if(kLateOps.begin(), kLateOps.end(),
                                 [&](const LateOp& known) { return known.op_set == op_set && known.type == type; });
  return late == kLateOps.end() ? std::string_view() : late->release;
}

const RuntimeRelease* first_runtime_with(int op_set, std::string_view type) {
  if (const std::string_view late = late_release_of(op_set, type); !late.empty()) return find_runtime(late);
  const auto found = std::find_if(kReleases.begin(), kReleases.end(),
                                  [&](const RuntimeRelease& known) { return known.op_set >= op_set; });
  return found == kReleases.end() ? nullptr : &*found;
}

}  // namespace mo
