#pragma once

#include <string_view>

/// Names under which a graph that is only rewritten keeps what a file says beside operators and attributes, and how it
/// says things: those of every framework. A namespace kept_key in keys.hpp of each has these and its own. No framework
/// has attributes that begin with '@'. A record is what field_record.hpp makes of a field.
namespace mo::frontends::kept_key {

/// Of a node: {attribute: [value that was read, its message]} for values that were spelled in another way than we write
/// them.
inline constexpr std::string_view kSpellings = "@spellings";
/// Of a node: records of the fields that are nothing else.
inline constexpr std::string_view kFields = "@fields";
/// In a value: what has no other representation, as it is in the file.
inline constexpr std::string_view kWire = "@wire";

}  // namespace mo::frontends::kept_key
