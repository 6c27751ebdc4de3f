// The text form: what can be parsed prints to text that parses to the same text.
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "fuzz/harness/check.hpp"
#include "fuzz/harness/ops.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_text_form(std::string_view input) {
  const auto graph = parse_graph(input, ops());
  if (!done_or_explained(graph)) return;
  constexpr TextOptions kWhole = {.elide_constants = false};
  const std::string printed = to_text(**graph, kWhole);
  const auto again = parse_graph(printed, ops());
  if (!again) finding("printed text cannot be parsed: " + again.error().first().format() + "\n" + printed);
  require(to_text(**again, kWhole) == printed, "text changes when it is printed again:\n" + printed);
}

}  // namespace mo::fuzz
