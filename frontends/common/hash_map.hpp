#pragma once

#include <absl/hash/hash.h>

#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>

namespace mo::frontends {

/// Abseil's hash begins with a number of the process: no model can be made so that its names collide.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return absl::Hash<std::string_view>()(text); }
};

template <class Key>
using HashOf = std::conditional_t<std::is_same_v<Key, std::string>, TextHash, absl::Hash<Key>>;

/// Hash tables of what a model names or numbers, which find a std::string by a std::string_view. They are the standard
/// library's because those survive std::bad_alloc: Abseil's tables set their new capacity before they allocate, and
/// free what is not theirs when that throws.
template <class Key, class Value>
using HashMap = std::unordered_map<Key, Value, HashOf<Key>, std::equal_to<>>;
template <class Key>
using HashSet = std::unordered_set<Key, HashOf<Key>, std::equal_to<>>;

}  // namespace mo::frontends
