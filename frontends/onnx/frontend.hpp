#pragma once

#include "core/registry/registry.hpp"

namespace mo::onnx {

/// Adds the ONNX reader and the extractors of its operators. With an `outline` (OperatorTable::promise), those that are
/// asked for.
void register_frontend(Registry& registry, std::string_view outline = {});

}  // namespace mo::onnx
