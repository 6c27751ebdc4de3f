#pragma once

#include <set>
#include <string>

#include "frontends/common/wire.hpp"

namespace mo::onnx {

/// Adds the tensors that the graphs in an AttributeProto read without making them: those of the graphs around. Errors:
/// MO-ONNX-0017 (nested too deeply), MO-PB-*.
Expected<void> add_captures(frontends::WireSource& source, const frontends::WireField& attribute,
                            std::set<std::string>& captures, int depth = 0);

}  // namespace mo::onnx
