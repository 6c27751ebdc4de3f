#pragma once

#include <optional>
#include <vector>

#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

/// Sequences of tensors and optional values of ONNX, which the IR does not have. The nodes that make and change them
/// stay as the model has them until the nodes that read them were translated; what is put into one at a known place and
/// taken out again needs none.
namespace mo::onnx {

/// `value` without the Identity nodes before it.
Value without_identity(Value value);

/// The tensors of a sequence that is made of known pieces at known places; nothing otherwise.
std::optional<std::vector<Value>> elements_of(Value sequence);
/// The sequence of these tensors.
Value sequence_of(Rewriter& rw, const std::vector<Value>& elements);

/// The sequence is a tensor cut into slices of 1 along an axis, as many as there are: SplitToSequence without lengths.
bool is_slices(const Value& sequence);
/// How SplitToSequence cuts.
std::int64_t split_axis(const Node& split);
bool keeps_split_axis(const Node& split);
/// The sequence of the slices of x along its first axis, which they do not have.
Value slices_of(Rewriter& rw, const Value& x);

bool is_optional(const Value& value);
/// The optional value that holds `content`; an empty one for nothing.
Value optional_of(Rewriter& rw, const Value& content);

/// The value is a sequence or an optional value, of known pieces.
bool is_packed(const Value& value);

/// Parameters of bodies, and what their owner gives them.
struct Captures {
  std::vector<std::string> names;
  std::vector<Value> values;
};
/// Sequences and optional values cannot go into a body: it gets the tensors that they are made of, and makes them
/// again. `names[i]` is the Parameter that stands for `values[i]`, if the body has one.
Captures unpack_captures(const std::vector<Graph*>& bodies, const Captures& captures);

/// Error MO-ONNX-0238: the sequence that `node` reads cannot be followed.
[[nodiscard]] Diagnostic unknown_pieces(const FrameworkNode& node);

}  // namespace mo::onnx
