#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/options.hpp"

namespace mo {

/// Options from the words of a command line of `mo` (docs/cli.md): {"model.onnx", "--input_shape", "[1,3,224,224]"},
/// without the name of the program and without what a shell would take away. Words about what the program prints while
/// it converts (--silent, --progress, --log_level …) are understood and change nothing here; those that ask for
/// something else (--report, --verify, --help …) are error MO-API-0007. `sink` gets warnings about the words. Errors:
/// MO-CLI-…, all that is wrong at once. Reads the beginning of the model, to tell its framework.
Expected<Options> parse_options(const std::vector<std::string>& words, DiagnosticSink& sink);

/// The same for models that need not be converted: an IR or a text form is one as well. Of `mo::run`, `mo::inspect` and
/// `mo::verify`.
Expected<Options> parse_model_options(const std::vector<std::string>& words);

/// Error MO-API-0007 about an option that has no effect outside of the program.
Diagnostic program_option(std::string_view name, std::string_view hint);

}  // namespace mo
