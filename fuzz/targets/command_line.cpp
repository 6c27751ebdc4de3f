// The command line: an argument on each line.
#include "cli/command_line.hpp"

#include <algorithm>
#include <vector>

#include "driver/options.hpp"
#include "fuzz/harness/check.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_command_line(std::string_view input) {
  std::vector<std::string_view> arguments;
  while (!input.empty()) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    arguments.push_back(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  const auto line = cli::parse_command_line(arguments);
  if (!done_or_explained(line) || !done_or_explained(validate(line->options))) return;
  warnings_about(line->options);
}

}  // namespace mo::fuzz
