#pragma once

#include "transformations/support/op_rules.hpp"

/// Suppressions of boxes as the internal ops of OpenVINO's plugins, whose outputs have room for the most boxes there
/// can be.
namespace mo::transformations {

/// The op set that nGraph prints for them.
inline constexpr std::string_view kInternalOpSet = "ie_internal_opset";

/// Converts the output of an internal op, which is i32, to the type that readers expect.
Value as_wanted(Rewriter& rw, const Value& made, ElementType wanted);

/// MatrixNms and MulticlassNms: the same attributes and inputs, indices of i32.
Replacement with_static_shape(const Node& node, Rewriter& rw);

}  // namespace mo::transformations
