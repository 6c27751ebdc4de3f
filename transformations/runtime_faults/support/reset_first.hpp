#pragma once

namespace mo::transformations {

/// Whether a GRU runs in the kernel that 2021.4 and 2022.1 have for a reset gate that scales the state: they write
/// others out.
template <class GRU>
bool resets_first(const GRU& op) {
  return !op.linear_before_reset && op.clip == 0 && op.activations == GRU{}.activations;
}

}  // namespace mo::transformations
