#include "frontends/tensorflow/checkpoint/crc32c.hpp"

#include <array>
#include <cstring>

namespace mo::tensorflow {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

/// Table k: what a byte adds when k more bytes follow it.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = (tables[k - 1][byte] >> 8U) ^ tables[0][tables[k - 1][byte] & 0xFFU];
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  // Eight bytes at a time; mo runs on little-endian machines.
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    word ^= crc;
    crc = 0;
    for (std::size_t i = 0; i < 8; ++i) crc ^= kTables[7 - i][(word >> (8 * i)) & 0xFFU];
  }
  for (; left > 0; --left, ++at) crc = (crc >> 8U) ^ kTables[0][(crc ^ std::to_integer<std::uint32_t>(*at)) & 0xFFU];
  return ~crc;
}

}  // namespace mo::tensorflow
