#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostics/expected.hpp"
#include "driver/options.hpp"

namespace mo::cli {

/// What a line asks for; of several, the last one here.
enum class Action { convert, list_options, print_version, explain, print_help };

/// A command line that was understood.
struct CommandLine {
  Action action = Action::convert;
  std::string topic;     ///< of print_help; the code of explain
  bool as_json = false;  ///< of list_options
  Options options;
  /// about the line as such; what the options mean is the driver's to warn about
  std::vector<Diagnostic> warnings;

  Expected<void> ask(Action wanted, std::string_view what) {
    if (wanted < action) return {};
    action = wanted;
    topic = what;
    return {};
  }
  /// Of a flag.
  Expected<void> ask_if(std::string_view flag, Action wanted) {
    return flag == "True" ? ask(wanted, "") : Expected<void>();
  }
};

/// tool: the model may also be an IR or a text form, so its framework is not determined yet.
enum class LineFor : std::uint8_t { conversion, tool };

/// `arguments` without the program's name. The error has everything that is wrong with them.
Expected<CommandLine> parse_command_line(std::span<const std::string_view> arguments,
                                         LineFor purpose = LineFor::conversion);

}  // namespace mo::cli
