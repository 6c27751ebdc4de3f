#pragma once

#include <optional>
#include <vector>

#include "core/rewrite.hpp"

/// Sequences of tensors and optional values of ONNX, which the IR does not have. Front-only ops make and change them; what is put into one at
/// a known place and taken out again needs none.
namespace mo::front {

/// `value` without the Identity nodes in front of it.
Value without_identity(Value value);

/// The tensors of a sequence that is made of known pieces at known places; nothing otherwise.
std::optional<std::vector<Value>> elements_of(Value sequence);
/// The sequence of these tensors.
Value sequence_of(Rewriter& rw, const std::vector<Value>& elements);

/// The sequence is a tensor cut into slices of 1 along an axis, as many as there are: SplitToSequence without lengths.
bool is_slices(const Value& sequence);
/// The sequence of the slices of x along its first axis, which they do not have.
Value slices_of(Rewriter& rw, const Value& x);

/// Error MO-ONNX-0238: the sequence that `node` reads cannot be followed.
[[nodiscard]] Diagnostic unknown_pieces(const Node& node);

}  // namespace mo::front
