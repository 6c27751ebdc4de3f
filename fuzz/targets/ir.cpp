// The IR reader, and the executor on what it has read. Two files: .xml and .bin.
#include "core/inference/infer.hpp"
#include "frontends/ir/reader.hpp"
#include "fuzz/harness/check.hpp"
#include "fuzz/harness/execution.hpp"
#include "fuzz/harness/ops.hpp"
#include "fuzz/harness/parts.hpp"
#include "fuzz/harness/scratch.hpp"
#include "fuzz/harness/targets.hpp"

namespace mo::fuzz {

void run_ir(std::string_view input) {
  const std::vector<std::string_view> parts = parts_of(input, 2);
  const std::string xml = Scratch::instance().write("model.xml", parts[0]);
  const std::string bin = Scratch::instance().write("model.bin", parts[1]);
  DiagnosticList notes;
  const auto graph = ir::read_ir(xml, bin, ops(), notes);
  if (!done_or_explained(graph) || !done_or_explained(infer_graph(**graph))) return;
  results_of(**graph);
}

}  // namespace mo::fuzz
