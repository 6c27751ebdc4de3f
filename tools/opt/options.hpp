#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/common/subcommand_line.hpp"

namespace mo::tools {

/// What `mo opt` was asked for.
struct OptOptions : SubcommandOptions {
  std::string passes;               ///< transformations in order, see parse_steps
  std::string output;               ///< file; its ending says what it is; empty: text form on stdout
  std::vector<std::string> enable;  ///< that are off by default in pipelines
  std::vector<std::string> disable;
  std::vector<std::string> only;
  std::string leave;                ///< regular expression (RE2): nodes of such names are left alone
  std::string stage = "converted";  ///< of a framework's model: inferred or converted
  bool print_passes = false;
  std::vector<std::string> describe;
  bool dump_changes = false;
  bool time_passes = false;
  std::string trace;                ///< file for a trace of the run
  std::string visualize;            ///< folder for pictures after each transformation
  std::string verify;               ///< empty: not; "graph" or "numbers"
  std::string reproducer;           ///< file for what is needed to run a step that fails again
  std::optional<int> bisect_limit;  ///< transformations after so many do not run
  bool json = false;
};

/// Errors: MO-OPT-0002 (what is wrong with the line).
Expected<OptOptions> parse_opt_options(const Invocation& invocation);

}  // namespace mo::tools
