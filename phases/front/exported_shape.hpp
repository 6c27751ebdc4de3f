#pragma once

#include <optional>
#include <string>

#include "core/graph/graph.hpp"

namespace mo::phases {

/// Gives an input of the model another shape. Where a size differs from the model's own, the input remembers the shape
/// that the model was exported with, so that constants that still hold the old size can be found. A size that the model
/// leaves open is not changed by a known one: its constants are right for every size. But an input of unknown rank
/// counts as exported for a first dimension (the batch) of 1, which is assumed.
void give_shape(const Node& parameter, const PartialShape& shape);

/// The shape that `end` (a Parameter or a Result) had in the exported model; nothing where no size was changed. The
/// note is not written to the IR.
std::optional<PartialShape> exported_shape(const Node& end);
void set_exported_shape(const Node& end, const PartialShape& shape);

/// The model's own shape of an input that got another rank.
std::optional<PartialShape> shape_of_other_rank(const Node& parameter);

/// What converts the model with the shapes that it was exported with: --input "x[1,3,64,64]".
std::string option_for_export(const Graph& graph);

/// Adds that an input has another rank than in the model to the error of an operation, and the option that converts.
void explain_other_rank(const Graph& graph, Error& error);

/// Whether give_shape assumed the batch, because the model does not specify the shape.
bool has_assumed_batch(const Node& parameter);

/// Whether some input has another size than the exported model, assumed ones included.
bool has_exported_shapes(const Graph& graph);
/// Whether some input has another size than the exported model declares.
bool has_changed_sizes(const Graph& graph);

}  // namespace mo::phases
