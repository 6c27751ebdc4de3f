#pragma once

#include <optional>

#include "core/graph/graph.hpp"

namespace mo::onnx {

/// The tensor of a constant of any size, or one that was computed of constants; it may be a file range or a recipe.
/// Empty for what is not a constant or not connected.
inline std::optional<Tensor> constant_tensor(const Value& value) {
  const auto* constant = value ? value.node().as<Const>() : nullptr;
  return constant && !constant->value.empty() ? std::optional(constant->value) : std::nullopt;
}

}  // namespace mo::onnx
