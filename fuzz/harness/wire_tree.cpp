#include "fuzz/harness/wire_tree.hpp"

#include <algorithm>
#include <cstring>

namespace mo::fuzz {
namespace {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;
using frontends::WireType;

constexpr int kDeepest = 40;

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::optional<std::vector<WireTree>> fields_of(WireSource& source, std::string_view all, std::uint64_t offset,
                                               std::uint64_t size, int depth) {
  std::vector<WireTree> fields;
  WireReader reader(source, offset, size);
  WireField field;
  for (;;) {
    const auto more = reader.next(field);
    if (!more || field.type == WireType::group) return std::nullopt;
    if (!*more) return fields;
    WireTree& tree = fields.emplace_back(WireTree{field.number, field.type, field.value, {}, {}});
    if (field.type != WireType::bytes) continue;
    const std::string_view content = all.substr(field.offset, field.size);
    std::optional<std::vector<WireTree>> inner;
    if (depth < kDeepest && !is_text(content)) inner = fields_of(source, all, field.offset, field.size, depth + 1);
    if (inner)
      tree.children = *std::move(inner);
    else
      tree.bytes = content;
  }
}

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>((value & 0x7FU) | 0x80U);
  out += static_cast<char>(value);
}

void put_fixed(std::string& out, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

}  // namespace

std::optional<std::vector<WireTree>> decode(std::string_view message) {
  auto buffer = frontends::copy_to_buffer(message);
  if (!buffer || message.empty()) return std::nullopt;
  WireSource source(*std::move(buffer), "input");
  return fields_of(source, message, 0, message.size(), 0);
}

std::string content_of(const WireTree& field) { return field.children.empty() ? field.bytes : encode(field.children); }

std::string encode(const std::vector<WireTree>& fields) {
  std::string out;
  for (const WireTree& field : fields) {
    put_varint(out, std::uint64_t{field.number} << 3U | static_cast<std::uint64_t>(field.type));
    switch (field.type) {
      case WireType::varint: put_varint(out, field.value); break;
      case WireType::fixed64: put_fixed(out, field.value, 8); break;
      case WireType::fixed32: put_fixed(out, field.value, 4); break;
      default: {
        const std::string content = content_of(field);
        put_varint(out, content.size());
        out += content;
      }
    }
  }
  return out;
}

}  // namespace mo::fuzz
