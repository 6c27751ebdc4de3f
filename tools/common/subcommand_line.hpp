#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/expected.hpp"
#include "tools/common/subcommand.hpp"

namespace CLI {
class App;
}

namespace mo::tools {

/// Gives `app` the words of an invocation that it has options for, and returns the rest in its order: what says how a model is read, for
/// Invocation::parse_model_options. Words in front of the first option, then those in front of the rest, go to `leading`, as far as there are any: behind
/// an option that only `mo` knows, nobody can tell its value from a model. Errors: `code`, with the subcommand's name.
Expected<std::vector<std::string>> parse_subcommand_line(CLI::App& app, const Invocation& invocation, std::string_view code,
                                                         std::initializer_list<std::string*> leading = {});

}  // namespace mo::tools
