#pragma once

#include <deque>
#include <string>

#include "core/rewrite.hpp"

namespace mo::transformations {

/// Starts a pass of the back phase that replaces the form of `fault` (rules follow with `.add(…)`). `name` says what is
/// avoided: "IntegerFloorDivision".
///
/// These passes run after all others of the phase (anchor BackFinish), in an order that must not matter. A replacement
/// consists of ops that the oldest supported target reads, in canonical form: constants for axes, non-negative axes,
/// types in place.
GraphRewriteBuilder avoid_fault(std::string name, RuntimeFault fault);

/// The same for a form that no rule finds, such as one of the model's inputs: a function follows with `.run(…)`.
GraphPassBuilder avoid_fault_of_graph(std::string name, RuntimeFault fault);

/// The table that `--list-ops ir-faults` prints: a line for each pass that avoids a fault, sorted by name, its fields
/// between tabs.
std::string describe_faults(const std::deque<Pass>& passes);

}  // namespace mo::transformations
