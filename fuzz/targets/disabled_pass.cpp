// An ONNX model gives the same numbers with and without one pass of the middle, which the input itself chooses: passes
// there make a model faster, and none may be needed to make it right. What cannot be expressed without the pass is
// refused.
#include <algorithm>
#include <string>
#include <vector>

#include "driver/convert.hpp"
#include "fuzz/harness/check.hpp"
#include "fuzz/harness/conversion.hpp"
#include "fuzz/harness/execution.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {
namespace {

/// Names of the passes, as `--print_pipeline` lists them below their phase.
std::vector<std::string> passes_of_the_middle() {
  Options options;
  options.framework = "onnx";
  options.passes.print_pipeline = true;
  DiagnosticList notes;
  const auto report = convert(options, notes);
  require(report.has_value(), "the pipeline cannot be listed");
  std::vector<std::string> names;
  std::string_view text = report->text;
  bool is_middle = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.starts_with("  "))
      is_middle = line == "middle:";
    else if (is_middle && !line.ends_with("(disabled)"))
      names.emplace_back(line.substr(2));
  }
  require(!names.empty(), "the middle has no passes");
  return names;
}

}  // namespace

void run_disabled_pass(std::string_view input) {
  static const std::vector<std::string> passes = passes_of_the_middle();
  Options options = options_for("onnx", "model.onnx", input);
  const auto complete = converted(options);
  if (!complete) return;
  const auto wanted = results_of(*complete);
  if (!wanted) return;
  std::size_t sum = 0;
  for (const char c : input) sum = sum * 31 + static_cast<unsigned char>(c);
  options.passes.disable = {passes[sum % passes.size()]};
  const auto less = converted(options);
  if (!less) return;
  if (const auto found = results_of(*less))
    require_same(*wanted, *found, kOfPasses, "without " + options.passes.disable.front());
}

}  // namespace mo::fuzz
