#pragma once

#include <string>
#include <string_view>

#include "core/pass/pass.hpp"

/// The ops without which the rules of a pass match nowhere, as text that needs no pattern to be built:
/// "Multiply&(Sigmoid|Exp&Add)". `&` binds tighter than `|`, which is inside of parentheses only.
namespace mo {

/// Of the rules of a pass, which has some. Empty: they may match in any graph.
std::string needed_ops(const Pass& pass);

/// Whether `graph` has what `needed`, a text of `needed_ops`, asks for. Allocates nothing.
bool has_needed_ops(std::string_view needed, const Graph& graph);

}  // namespace mo
