#pragma once

#include <string>
#include <vector>

#include "tools/common/subcommand.hpp"
#include "tools/inspect/command_words.hpp"
#include "tools/inspect/trial.hpp"

namespace mo::tools {

/// A command line that was tried and converts.
struct Proposal {
  CommandWords line;
  bool is_whole = true;                  ///< it converts all of the model
  bool only_copies = false;              ///< of a part: it has no operation, its outputs are its inputs
  std::size_t ops = 0;                   ///< of the part: constants not counted
  std::vector<std::string> assumptions;  ///< what the model does not say and the line had to choose
  std::vector<bool> is_constant_output;  ///< as of a Trial
};

/// Whether the model converts as it was given, and which command line would do better.
struct Plan {
  Trial trial;                       ///< of what was given
  std::optional<Proposal> proposal;  ///< none: nothing that was tried converts
};

/// Tries the model as it was given; when that is refused: a signature of a SavedModel, the built-in configuration of
/// its family, fixed shapes for IR version 10, and the largest part that converts. Every proposal has been converted in
/// memory. Errors: of the options.
Expected<Plan> make_plan(const Options& given, const ParseOptions& parse);

}  // namespace mo::tools
