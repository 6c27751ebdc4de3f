#pragma once

#include <initializer_list>

#include "core/pass/replacement.hpp"
#include "core/pass/rewriter.hpp"
#include "core/registry/framework_node.hpp"

/// What the quantised operators of ONNX Runtime have in common: a scale and then a zero point follow what they
/// describe.
namespace mo::onnx {

/// Inputs i, i + 1 (scale), i + 2 (zero point) as real numbers.
Value real_input(const FrameworkNode& node, Rewriter& rw, std::size_t i);

/// The element type of a quantised result: that of its zero point, else that of one of the inputs `same`. Error
/// MO-ONNX-0150 for a type that cannot be quantised to.
Expected<ElementType> quantized_type(const FrameworkNode& node, std::size_t zero_point,
                                     std::initializer_list<std::size_t> same);

/// y quantised by inputs `scale` and `scale` + 1 (zero point). Error as above.
Replacement quantized_result(const FrameworkNode& node, Rewriter& rw, const Value& y, std::size_t scale,
                             std::initializer_list<std::size_t> same);

}  // namespace mo::onnx
