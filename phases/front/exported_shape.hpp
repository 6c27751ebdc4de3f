#pragma once

#include <optional>

#include "core/graph/graph.hpp"

namespace mo::phases {

/// Gives an input of the model another shape. Where a size differs from the model's own, the input remembers the shape
/// that the model was exported with, for whoever looks for constants that still hold the old size. A size that the
/// model leaves open is not changed by a known one: its constants are right for every size.
void give_shape(const Node& parameter, const PartialShape& shape);

/// The shape that `end` (a Parameter or a Result) had in the exported model; nothing where no size was changed. The
/// note is not written to the IR.
std::optional<PartialShape> exported_shape(const Node& end);
void set_exported_shape(const Node& end, const PartialShape& shape);

/// Whether some input has another size than the exported model.
bool has_changed_sizes(const Graph& graph);

}  // namespace mo::phases
