#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/diagnostics/assert.hpp"
#include "core/support/budget.hpp"

namespace mo {

/// An array that grows in chunks: indices are dense, and a large array copies nothing when it grows. Most graphs are
/// bodies of a few nodes, so the first chunk begins small and is copied until it is full: references to items hold
/// until the next `grow`.
template <class T>
class ChunkedStore {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::uint32_t kShift = 10;
  static constexpr std::uint32_t kChunk = 1U << kShift;
  static constexpr std::uint32_t kLeast = 2;

  ChunkedStore() = default;
  ChunkedStore(ChunkedStore&& other) noexcept { *this = std::move(other); }
  ChunkedStore& operator=(ChunkedStore&& other) noexcept {
    std::swap(chunks_, other.chunks_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(charge_, other.charge_);
    return *this;
  }

  std::uint32_t size() const { return size_; }
  T& operator[](std::uint32_t i) { return chunks_[i >> kShift][i & (kChunk - 1)]; }
  const T& operator[](std::uint32_t i) const { return chunks_[i >> kShift][i & (kChunk - 1)]; }

  /// Appends `count` default-constructed items; the index of the first. When memory fails, nothing has changed.
  std::uint32_t grow(std::uint32_t count) {
    MO_ASSERT(count < 0xFFFFFFFFU - size_, "a graph store is full");
    const std::uint32_t first = size_;
    if (count > capacity_ - size_) reserve(size_ + std::uint64_t{count});
    size_ += count;
    return first;
  }
  /// Drops the items from `count` on.
  void shrink(std::uint32_t count) {
    for (std::uint32_t i = count; i < size_ && i >> kShift == count >> kShift; ++i) (*this)[i] = T();
    size_ = count;
    while (chunks_.size() > 1 && capacity_ - kChunk >= count) {
      chunks_.pop_back();
      capacity_ -= kChunk;
      charge_.add(-static_cast<std::int64_t>(kChunk * sizeof(T)));
    }
  }
  std::size_t bytes() const { return static_cast<std::size_t>(charge_.bytes()); }

 private:
  void reserve(std::uint64_t wanted) {
    if (capacity_ < kChunk) {
      const auto room = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(std::bit_ceil(std::max<std::uint64_t>(wanted, kLeast)), kChunk));
      auto chunk = std::make_unique<T[]>(room);
      if (chunks_.empty())
        chunks_.emplace_back();
      else
        std::copy_n(chunks_.front().get(), size_, chunk.get());
      chunks_.front() = std::move(chunk);
      add_room(room - capacity_);
    }
    while (capacity_ < wanted) {
      chunks_.push_back(std::make_unique<T[]>(kChunk));
      add_room(kChunk);
    }
  }
  void add_room(std::uint32_t items) {
    capacity_ += items;
    charge_.add(static_cast<std::int64_t>(items * sizeof(T)));
  }

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::uint32_t size_ = 0;
  std::uint64_t capacity_ = 0;
  MemoryCharge charge_;
};

}  // namespace mo
