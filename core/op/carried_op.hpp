#pragma once

#include <string_view>

namespace mo {

/// An attribute of an op of an IR that is known by name only and carried through: the `version` of its layer.
inline constexpr std::string_view kCarriedVersion = "@version";

/// Further attributes of such an op are named after elements of its layer: graphs ("@body", "@then_body"), and lists of
/// records that say how these are connected ("@then_port_map", "@back_edges"). A record holds the name of an element
/// and its attributes; a Parameter or Result of the body is a record {parameter=0} or {result=0}.
inline constexpr char kCarriedMark = '@';
inline constexpr std::string_view kCarriedElement = "@element";
inline constexpr std::string_view kCarriedParameter = "parameter";
inline constexpr std::string_view kCarriedResult = "result";

}  // namespace mo
