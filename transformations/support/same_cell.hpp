#pragma once

namespace mo::transformations {

/// A sequence of the cell `from`, or the cell of the sequence `from`, in the forward direction.
template <class To, class From>
To same_cell(const From& from) {
  To made;
  made.hidden_size = from.hidden_size;
  made.activations = from.activations;
  made.activations_alpha = from.activations_alpha;
  made.activations_beta = from.activations_beta;
  made.clip = from.clip;
  if constexpr (requires { made.linear_before_reset; }) made.linear_before_reset = from.linear_before_reset;
  return made;
}

}  // namespace mo::transformations
