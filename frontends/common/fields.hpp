#pragma once

#include <cstdint>

/// Field numbers of a key with a value: an entry of a protobuf map, ONNX's StringStringEntryProto.
namespace mo::frontends::entry_field {
enum Field : std::uint32_t {
  kKey = 1,
  kValue = 2,
};
}  // namespace mo::frontends::entry_field
