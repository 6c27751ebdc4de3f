#pragma once

#include <unordered_map>
#include <vector>

#include "core/execution/constant_reader.hpp"

namespace mo::ir_emitter {

/// Whether two elements share a byte.
inline bool has_nibbles(ElementType type) { return type == ElementType::i4 || type == ElementType::u4; }

/// Where the bytes of a constant lie in the .bin.
struct Blob {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// Blobs of at least this size start at a multiple of it: what vector loads and mapped weights like. IR demands no
/// alignment.
inline constexpr std::uint64_t kAlignment = 64;

/// Appends constants to the .bin, equal ones (same element type, same bytes) once.
///
/// Every constant is announced before the first one is placed: one whose type and size are unique is copied without
/// being looked at. Others are compared by sampled bytes, then by a 64-bit hash, then completely; a stretch of a file
/// that two of them share is equal at once.
class WeightsWriter {
 public:
  WeightsWriter(OutputFile& out, bool low_nibble_first) : out_(out), low_nibble_first_(low_nibble_first) {}

  /// Copies a file that holds all constants as the .bin: they stay where they are in it. Errors: of reading and
  /// writing.
  Expected<void> keep(const File& file);
  void announce(const Tensor& tensor);
  /// Errors: of loading (recipes, files) and writing. Those of this constant may come later, through `describe`.
  Expected<Blob> place(const Tensor& tensor, const ConstantReader::Describe& describe);
  std::uint64_t shared() const { return shared_; }
  /// How often a recipe was evaluated.
  std::uint64_t recipes() const { return recipes_; }
  /// Makes room for everything that was announced.
  void reserve() { out_.reserve(announced_bytes_); }

 private:
  struct Key {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    std::uint64_t third = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  /// Constants of equal size, type and samples. The first one is hashed only when a second one comes.
  struct Bucket {
    std::vector<std::uint64_t> not_hashed;                                  ///< offsets
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> by_hash;  ///< hash -> offsets
  };
  struct Group {
    std::uint32_t announced = 0;
    std::unordered_map<Key, std::uint64_t, KeyHash> by_identity;  ///< offsets
    std::unordered_map<std::uint64_t, Bucket> by_samples;
  };

  static Key group_key(const Tensor& tensor) {
    return {static_cast<std::uint64_t>(tensor.element_type()), tensor.byte_size(), 0};
  }
  static Key identity(const Tensor& tensor);
  Expected<ConstantReader> open(const Tensor& tensor);
  static Expected<std::uint64_t> sample(const ConstantReader& source);
  /// Calls read(offset, span) for piece after piece.
  template <class Read>
  static Expected<std::uint64_t> hash(std::uint64_t size, Read&& read);
  Expected<bool> equals(const ConstantReader& source, std::uint64_t offset);
  Expected<std::optional<std::uint64_t>> find_equal(const ConstantReader& source, Bucket& bucket, bool seen_whole,
                                                    std::uint64_t samples, std::uint64_t& own_hash);
  Expected<std::uint64_t> append(const ConstantReader& source, ElementType type,
                                 const ConstantReader::Describe& describe);

  OutputFile& out_;
  bool keeps_ = false;  ///< the bytes are there
  bool low_nibble_first_;
  std::uint64_t shared_ = 0;
  std::uint64_t recipes_ = 0;
  std::unordered_map<Key, Group, KeyHash> groups_;
  std::uint64_t announced_bytes_ = 0;  ///< size of the .bin if nothing is shared
};

}  // namespace mo::ir_emitter
