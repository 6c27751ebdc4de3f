#pragma once

#include <functional>

#include "tools/verify/models.hpp"
#include "tools/verify/verify.hpp"

namespace mo::tools {

/// Finds the first pass of a conversion after which `check` finds that the graph computes something else, by bisection
/// over the passes that change something: each step converts once up to a pass. A graph that cannot be run (between two
/// passes that belong together) is passed over. `may_be_wrong_before`: reading itself may be wrong, as when the true
/// values are not ours. Errors: of the conversion.
Expected<GuiltyPass> find_guilty_pass(const Options& options, Replacers replacers,
                                      const std::function<Expected<Check>(const Graph&)>& check,
                                      bool may_be_wrong_before, DiagnosticSink& sink);

}  // namespace mo::tools
