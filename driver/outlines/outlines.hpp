#pragma once

#include <string_view>

#include "core/registry/pass_registry.hpp"

namespace mo {

/// What is known of the passes of a conversion before their files are called: one line for each, with its place in the
/// order and the ops without which it does nothing. Written by the build, which calls all files once (main.cpp).
///
/// Fields, with tabs between them: number of the file in `transformations::register_all_parts`, name, phase, flags,
/// last release of the fault that it avoids; then lists of names with commas: what it runs after and before, what it
/// looks for, the ops that its rules start from. Flags: e enabled, b runs on bodies, r made of rules, l last: no other
/// pass is ordered against it.
std::string_view pass_outlines();

/// The same of the operators of a framework, for OperatorTable::promise.
std::string_view operator_outline(std::string_view framework);

/// Adds the passes of a conversion as `transformations::register_all(registry, false)` does. Most of them are outlines:
/// the pass itself is made when it runs on a graph that has an op it needs. An outline has no rules, no settings and no
/// description. With a `release`, passes are left out that avoid faults which it does not have.
void register_outlined(PassRegistry& registry, std::string_view release);

}  // namespace mo
