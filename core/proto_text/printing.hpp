#pragma once

#include <string>

#include "core/proto_text/message.hpp"

namespace mo::proto_text {

/// One value of a field in protobuf text, a line of its own for each field of a message, `indent` levels deep: what
/// `parse` reads as the same value. Doubles are written with as many digits as tell them from others.
std::string print(std::string_view name, const Value& value, int indent = 0);

}  // namespace mo::proto_text
