#include "core/files/content_hash.hpp"

#include <xxhash.h>

#include <algorithm>
#include <new>
#include <vector>

#include "core/files/file.hpp"

namespace mo {
namespace {

/// Stays in the second-level cache between reading and hashing.
constexpr std::uint64_t kHashedPiece = std::uint64_t{256} << 10;

}  // namespace

ContentHash::ContentHash() : state_(XXH64_createState()) {
  if (!state_ || XXH64_reset(state_.get(), 0) != XXH_OK) throw std::bad_alloc();
}

void ContentHash::Free::operator()(XXH64_state_s* state) const { XXH64_freeState(state); }

void ContentHash::update(std::span<const std::byte> bytes) {
  if (!bytes.empty()) XXH64_update(state_.get(), bytes.data(), bytes.size());
}

std::uint64_t ContentHash::digest() const { return XXH64_digest(state_.get()); }

Expected<std::uint64_t> content_hash(const File& file, std::uint64_t bytes) {
  ContentHash hash;
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min(bytes, kHashedPiece)));
  for (std::uint64_t at = 0; at < bytes;) {
    const std::span<std::byte> part(piece.data(),
                                    static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), bytes - at)));
    MO_TRY(file.read(at, part));
    hash.update(part);
    at += part.size();
  }
  return hash.digest();
}

std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace mo
