#include "frontends/common/zip_names.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace mo::frontends {
namespace {

constexpr std::uint64_t kPiece = 64 << 10;
constexpr std::size_t kEndSize = 22;    ///< of the end record, without its comment
constexpr std::size_t kEntrySize = 46;  ///< of a directory entry, without name, extra field and comment

std::uint64_t little_endian(std::string_view bytes, std::size_t offset, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
  return value;
}

std::string read_piece(const File& file, std::uint64_t offset) {
  std::string piece(static_cast<std::size_t>(std::min(kPiece, file.size() - offset)), '\0');
  if (!file.read(offset, std::as_writable_bytes(std::span(piece)))) piece.clear();
  return piece;
}

}  // namespace

std::vector<std::string> names_in_zip(const File& file) {
  using namespace std::string_view_literals;
  const std::string tail = read_piece(file, file.size() - std::min(kPiece, file.size()));
  const std::size_t end = tail.rfind("PK\x05\x06"sv);
  if (end == std::string::npos || tail.size() - end < kEndSize) return {};
  const std::uint64_t start = little_endian(tail, end + 16, 4);
  if (start >= file.size()) return {};
  const std::string directory = read_piece(file, start);
  std::vector<std::string> names;
  for (std::size_t at = 0;
       directory.size() - at >= kEntrySize && std::string_view(directory).substr(at, 4) == "PK\x01\x02"sv;) {
    const std::size_t length = little_endian(directory, at + 28, 2);
    const std::size_t rest = little_endian(directory, at + 30, 2) + little_endian(directory, at + 32, 2);
    if (directory.size() - at - kEntrySize < length) break;
    names.push_back(directory.substr(at + kEntrySize, length));
    at = std::min(at + kEntrySize + length + rest, directory.size());
  }
  return names;
}

}  // namespace mo::frontends
