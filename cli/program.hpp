#pragma once

namespace mo::cli {

/// All of `main`: reads the command line, runs a subcommand or a conversion, prints errors. Gives the exit code of the
/// process, whose signals and standard descriptors it takes over.
int program(int argc, char** argv);

}  // namespace mo::cli
