#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mo {

/// A hash index over items that lie elsewhere in an array: finds the place of an item in O(1). The owner hashes and
/// compares; the index keeps 32 bits of each hash, so it grows without a look at the items. Unlike Abseil's tables it
/// survives std::bad_alloc: `make_room` does all allocation and leaves the index as it was when memory fails.
class IndexTable {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// The place for which `is_same(place)` holds, of those that were put under `hash`; kNone when there is none.
  template <class IsSame>
  std::uint32_t find(std::uint32_t hash, IsSame is_same) const {
    if (slots_.empty()) return kNone;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = start(hash);; i = (i + 1) & mask) {
      const Slot& slot = slots_[i];
      if (slot.place == kNone || (slot.hash == hash && is_same(slot.place))) return slot.place;
    }
  }

  /// The same for keys of 32 bits, which are their own hash: nothing has to be compared.
  std::uint32_t find(std::uint32_t key) const {
    return find(key, [](std::uint32_t) { return true; });
  }

  /// Room for one `put`.
  void make_room() {
    if ((size_ + 1) * 4 <= slots_.size() * 3) return;
    std::vector<Slot> old(slots_.empty() ? kLeast : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.place != kNone) fill(slot);
  }

  /// Adds an item that is not there. Behind `make_room`; allocates nothing.
  void put(std::uint32_t hash, std::uint32_t place) noexcept {
    fill({hash, place});
    ++size_;
  }

  std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t place = kNone;
  };
  static constexpr std::size_t kLeast = 4;  ///< most graphs are bodies of a few nodes

  /// Where the search for a hash begins: its product's high bits, as many as the number of slots, a power of two, has.
  std::size_t start(std::uint32_t hash) const {
    return static_cast<std::size_t>((hash * 0x9E3779B97F4A7C15ULL) >> (64 - std::countr_zero(slots_.size())));
  }
  void fill(const Slot& slot) noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = start(slot.hash);
    while (slots_[i].place != kNone) i = (i + 1) & mask;
    slots_[i] = slot;
  }

  std::vector<Slot> slots_;  ///< at most three quarters are taken
  std::size_t size_ = 0;
};

}  // namespace mo
