#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/diagnostics/assert.hpp"

namespace mo {

/// An array that grows in chunks: addresses are stable, growing copies nothing, indices are dense.
template <class T>
class ChunkedStore {
 public:
  static constexpr std::uint32_t kShift = 10;
  static constexpr std::uint32_t kChunk = 1U << kShift;

  std::uint32_t size() const { return size_; }
  T& operator[](std::uint32_t i) { return chunks_[i >> kShift][i & (kChunk - 1)]; }
  const T& operator[](std::uint32_t i) const { return chunks_[i >> kShift][i & (kChunk - 1)]; }

  /// Appends `count` default-constructed items; the index of the first.
  std::uint32_t grow(std::uint32_t count) {
    MO_ASSERT(count < 0xFFFFFFFFU - size_, "a graph store is full");
    const std::uint32_t first = size_;
    size_ += count;
    while (chunks_.size() << kShift < size_) chunks_.push_back(std::make_unique<T[]>(kChunk));
    return first;
  }
  std::size_t bytes() const { return chunks_.size() * (kChunk * sizeof(T) + sizeof(void*)); }

 private:
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::uint32_t size_ = 0;
};

}  // namespace mo
