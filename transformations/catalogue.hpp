#pragma once

#include <vector>

#include "core/pass/library.hpp"
#include "core/registry/part.hpp"
#include "core/registry/pass_registry.hpp"

namespace mo::transformations {

/// The passes that rewrite a graph of known ops, and the pipelines of them: those that a conversion runs, and those on
/// request, which a conversion does without.
void register_all(PassRegistry& registry, bool on_request = true);
/// The files that they are in.
std::vector<Part<PassRegistry>> register_all_parts();

/// Adds what is run by name without a model of a framework: the passes on request, and those of a conversion that have
/// a description. What keeps faults of releases out of an IR is for conversions alone.
void add_catalogue(PassLibrary& library);

/// The same, checked and made once.
const PassLibrary& catalogue();

}  // namespace mo::transformations
