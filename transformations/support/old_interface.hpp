#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/graph/graph.hpp"

namespace mo::transformations {

/// Of the pass OldInterfaceTypes.
struct OldInterfaceSettings {
  std::vector<std::string> typed_inputs;  ///< whose element type the user chose, by any of their names
};

/// The element type that IR v10 has for an input, where that is another one than the model's: i64 is i32 there, u8 is
/// f32, and so is an input of which only the shape and a conversion to f32 are read. nGraph's ChangePlaceholderTypes.
std::optional<ElementType> old_element_type(const Node& parameter);

/// Writes at an input which element type programs of the older interface (IECore) see. Says whether that is new.
bool set_old_element_type(const Node& parameter, ElementType type);

}  // namespace mo::transformations
