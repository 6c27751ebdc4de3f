#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "driver/assembly.hpp"
#include "graph_transforms/engine/grammar.hpp"
#include "graph_transforms/engine/registry.hpp"

namespace mo::tools {

/// Adds to `registry` the passes of mo that calls name and that see nodes as the framework has them: those that run
/// before a conversion translates operators. `assembly` is made when one is needed, and holds them. Error MO-GTT-0063
/// for a pass that runs later, or is of the library of mo opt: it works on operations of the IR.
Expected<void> add_passes(const std::vector<graph_transforms::TransformCall>& calls, std::string_view framework,
                          std::unique_ptr<Assembly>& assembly, graph_transforms::TransformRegistry& registry);

}  // namespace mo::tools
