#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace mo::fuzz {

/// Changes bytes in place, at most to `most`; libFuzzer's own.
using ByteMutator = std::size_t (*)(std::uint8_t* data, std::size_t size, std::size_t most);

/// Another input, of at most `most` bytes. One of its files is changed: a protobuf message by its tree (wire_tree.hpp),
/// anything else, and now and then a message too, by bytes. The same seed makes the same change.
std::string mutated(std::string_view input, std::size_t most, unsigned seed, ByteMutator bytes);

}  // namespace mo::fuzz
