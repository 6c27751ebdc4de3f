#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mo::tensorflow {

/// CRC-32C (Castagnoli polynomial) of `bytes`, going on from the checksum of what came before.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

/// Checksums are stored rotated by 15 bits and shifted by a constant, so that the checksum of data that holds checksums
/// stays useful.
constexpr std::uint32_t mask_crc(std::uint32_t crc) { return ((crc >> 15U) | (crc << 17U)) + 0xA282EAD8U; }
constexpr std::uint32_t unmask_crc(std::uint32_t masked) {
  const std::uint32_t rotated = masked - 0xA282EAD8U;
  return (rotated >> 17U) | (rotated << 15U);
}

}  // namespace mo::tensorflow
