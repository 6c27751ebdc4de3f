#pragma once

#include "core/registry/registry.hpp"

namespace mo::onnx {

/// Adds the ONNX reader and the extractors of its operators.
void register_frontend(Registry& registry);

}  // namespace mo::onnx
