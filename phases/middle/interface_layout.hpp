#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/pass/rewriter.hpp"
#include "core/types/layout.hpp"

namespace mo::phases {

/// What a user says of an input or output.
struct LayoutRequest {
  /// of the tensor, or of the node; unset: the input of the same position
  std::optional<std::string> name;
  std::optional<Layout> model;   ///< how the model has it
  std::optional<Layout> tensor;  ///< how the IR has it; unset: as the model
};

/// The same for one Parameter or Result.
struct InterfaceLayout {
  Node end;
  Layout model;
  std::optional<Layout> tensor;  ///< only when the IR has another layout than the model
};

/// Finds the inputs and outputs that are meant. Errors: MO-PRE-0001 (no such input or output), MO-PRE-0010 (a layout
/// does not fit the shape, or two speak of the same tensor), MO-PRE-0011 (not one nameless layout for each input).
Expected<std::vector<InterfaceLayout>> find_interface_layouts(const Graph& graph,
                                                              const std::vector<LayoutRequest>& requests);

/// Lets Parameters and Results have the layouts that were asked for, with a Transpose beside them where the model has
/// another one, and records them for the IR. A tensor layout of a Parameter may leave out dimensions of size 1. Errors:
/// MO-PRE-0010 (such a dimension is not 1, or the rank is not known), MO-PRE-0012 (the two layouts name different
/// dimensions).
Expected<void> apply_interface_layouts(Rewriter& rewriter, const std::vector<InterfaceLayout>& layouts);

}  // namespace mo::phases
