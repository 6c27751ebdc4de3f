#pragma once

#include <optional>

#include "extensions/support/term.hpp"

/// What replacers of ONNX operators ask of their operands before anything is inferred.
namespace mo::front {

/// A replacer that sees only nodes whose first `count` inputs are connected; error MO-ONNX-0223 for others.
template <class Fn>
auto needing(std::size_t count, Fn fn) {
  return [=](const Node& node, Rewriter& rw) -> Replacement {
    for (std::size_t i = 0; i < count; ++i)
      if (!node.input(i)) return missing_input(node);
    return fn(node, rw);
  };
}

/// The rank of a tensor as far as the ops that compute it tell: constants and inputs of the model, and what reshapes, transposes, converts and
/// adds them. Nothing when it cannot be told.
std::optional<std::int64_t> source_rank(const Value& value);

/// As above; error MO-ONNX-0441 when it is not known.
Expected<std::int64_t> required_rank(const Node& node, std::size_t input);

/// The axes of input 0 from the attribute `axis` on (-1 without it), as LayerNormalization counts them. Error MO-ONNX-0112 for an impossible one.
Expected<Value> axes_from_attribute(const Node& node, Rewriter& rw);

/// The order of a Transpose that moves dimension 1 (channels) to the end, and its inverse, for `rank` dimensions.
Value channels_to_last(Rewriter& rw, const Value& x, std::size_t rank);
Value channels_to_first(Rewriter& rw, const Value& x, std::size_t rank);

/// The activation of a fused operator. Error MO-ONNX-0446 for a name that no fused operator has.
Expected<Value> activated(const Node& node, Rewriter& rw, const Value& x, std::string_view activation, const std::vector<double>& parameters);

}  // namespace mo::front
