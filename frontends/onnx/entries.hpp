#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/attributes/attribute_value.hpp"
#include "frontends/common/wire.hpp"

namespace mo::onnx {

/// The key and the value of a StringStringEntryProto, each of at most `limit` bytes. Errors: MO-PB-*.
Expected<std::pair<std::string, std::string>> read_entry(frontends::WireSource& source,
                                                         const frontends::WireField& message,
                                                         std::uint64_t limit = std::uint64_t{1} << 31);
/// Sets an attribute of that name. More entries than anybody writes are left out: look-up is linear.
Expected<void> add_entry(frontends::WireSource& source, const frontends::WireField& message, AttributeMap& into);

}  // namespace mo::onnx
