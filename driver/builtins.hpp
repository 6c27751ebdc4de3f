#pragma once

#include "core/registry/registry.hpp"

namespace mo {

/// Everything that is linked in: ops, passes of `extensions/`, frontends with their extractors. `framework` (may be empty: all) keeps
/// start-up small by leaving out what belongs to other frameworks only.
void register_builtins(Registry& registry, std::string_view framework = {});

}  // namespace mo
