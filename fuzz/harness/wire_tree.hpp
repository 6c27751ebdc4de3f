#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/common/wire.hpp"

namespace mo::fuzz {

/// A field of a protobuf message of which no schema is known.
struct WireTree {
  std::uint32_t number = 0;
  frontends::WireType type = frontends::WireType::varint;
  std::uint64_t value = 0;         ///< of a number
  std::string bytes;               ///< of a field of bytes that is no message
  std::vector<WireTree> children;  ///< of one that is
};

/// The fields of a message; what is not text and can be read as a message is one. Nothing when the bytes are none, or
/// have groups.
std::optional<std::vector<WireTree>> decode(std::string_view message);
/// What is inside of a field of bytes, message or not.
std::string content_of(const WireTree& field);
std::string encode(const std::vector<WireTree>& fields);

}  // namespace mo::fuzz
