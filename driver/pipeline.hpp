#pragma once

#include "core/pass/pass_manager.hpp"
#include "core/registry/registry.hpp"
#include "driver/options.hpp"

namespace mo {

/// The passes of one conversion: the structural steps of `phases/` made from the options, and everything that
/// extensions registered. Errors: of the pass manager (unknown names, cycles), and what the registry found wrong.
Expected<std::unique_ptr<PassManager>> make_pipeline(Registry& registry, const std::string& framework,
                                                     const Options& options);

/// What passes and readers get of the options.
Settings settings_of(const Options& options);

}  // namespace mo
