#pragma once

#include <string_view>
#include <vector>

#include "core/diagnostics/expected.hpp"
#include "core/types/partial_shape.hpp"

namespace mo::ops {

/// Labels of the dimensions of one tensor: letters by their code, kEllipsis for "...". The dimensions that an ellipsis
/// stands for are numbered from the last one, kFirstBroadcast for it.
using EinsumLabels = std::vector<int>;
inline constexpr int kEllipsis = -1;
inline constexpr int kFirstBroadcast = 256;

struct EinsumEquation {
  std::vector<EinsumLabels> inputs;
  EinsumLabels output;
};

/// Reads "ab,bc->ac"; blanks do not count. The output is made explicit. Errors: MO-OPS-0330 (not an equation),
/// MO-OPS-0334 (an output label that no input has, or twice the same).
Expected<EinsumEquation> parse_einsum(std::string_view equation);

/// Replaces each ellipsis by labels. `shapes` as many as inputs, all of known rank or without an ellipsis in the
/// equation. Errors: MO-OPS-0332 (a rank that does not fit the labels), MO-OPS-0334 (the output has no ellipsis, but an
/// input's is not empty).
Expected<EinsumEquation> expand_ellipses(const EinsumEquation& equation, const std::vector<PartialShape>& shapes);

/// "ab..." for messages.
std::string label_text(const EinsumLabels& labels);

}  // namespace mo::ops
