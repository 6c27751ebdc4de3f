#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/diagnostics/expected.hpp"

struct XXH64_state_s;

namespace mo {

class File;

/// XXH64 (seed 0) of a stream of bytes: what `xxhsum -H1` prints. Tells damaged and mixed-up files apart, not forged
/// ones.
class ContentHash {
 public:
  /// Throws std::bad_alloc, as every container does.
  ContentHash();
  void update(std::span<const std::byte> bytes);
  /// Of all bytes so far; more may follow.
  std::uint64_t digest() const;

 private:
  struct Free {
    void operator()(XXH64_state_s* state) const;
  };
  std::unique_ptr<XXH64_state_s, Free> state_;
};

/// Of the first `bytes` bytes of a file. Error MO-IO-0003.
Expected<std::uint64_t> content_hash(const File& file, std::uint64_t bytes);
/// 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

}  // namespace mo
