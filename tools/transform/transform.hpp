#pragma once

#include "core/diagnostics/exit_code.hpp"

namespace mo::tools {

/// `transform_graph`, or `mo transform`: reads a GraphDef, applies transforms, writes a GraphDef. Prints what went
/// wrong to stderr; with --help the usage to stdout. Nothing is written unless all went well.
ExitCode transform_main(int argc, char** argv);

}  // namespace mo::tools
