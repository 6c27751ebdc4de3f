#pragma once

#include "core/registry/operator_table.hpp"

namespace mo::onnx {

/// Makes a front-only op of this name, without attributes.
inline Extractor front_only(std::string_view name) {
  return [name](const FrameworkNode&) -> Expected<Op> { return front_op(name); };
}

}  // namespace mo::onnx
