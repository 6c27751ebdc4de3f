// The IR reader, and the executor on what it has read. Unknown ops and element types are carried through: what is
// written of them is read and written again as the same bytes. Two files: .xml and .bin.
#include <algorithm>

#include "core/inference/infer.hpp"
#include "frontends/ir/reader.hpp"
#include "fuzz/harness/check.hpp"
#include "fuzz/harness/execution.hpp"
#include "fuzz/harness/ops.hpp"
#include "fuzz/harness/parts.hpp"
#include "fuzz/harness/scratch.hpp"
#include "fuzz/harness/targets.hpp"
#include "ir_emitter/emitter.hpp"

namespace mo::fuzz {
namespace {

/// Null when it cannot be read or inferred, with an explanation.
std::unique_ptr<Graph> carried(const std::string& xml, const std::string& bin) {
  DiagnosticList notes;
  auto graph = ir::read_ir(xml, bin, ops(), notes, {.carries_unknown_ops = true});
  if (!done_or_explained(graph) || !done_or_explained(infer_graph(**graph))) return nullptr;
  return *std::move(graph);
}

std::optional<ir_emitter::EmitReport> written(const Graph& graph) {
  const auto report = ir_emitter::emit(graph, {.xml_path = Scratch::instance().path("carried.xml"), .in_memory = true});
  return done_or_explained(report) ? std::optional(*report) : std::nullopt;
}

void carry_through(const std::string& xml, const std::string& bin) {
  const std::unique_ptr<Graph> graph = carried(xml, bin);
  const auto first = graph ? written(*graph) : std::nullopt;
  if (!first) return;
  const std::unique_ptr<Graph> again = carried(first->xml->path(), first->bin->path());
  require(again != nullptr, "an IR that was carried through cannot be read");
  const auto second = written(*again);
  require(second.has_value(), "an IR that was carried through cannot be written again");
  require(std::ranges::equal(second->xml->bytes(), first->xml->bytes()),
          "an IR that was carried through changes when it is written again");
  require(std::ranges::equal(second->bin->bytes(), first->bin->bytes()),
          "constants that were carried through change when they are written again");
}

}  // namespace

void run_ir(std::string_view input) {
  const std::vector<std::string_view> parts = parts_of(input, 2);
  const std::string xml = Scratch::instance().write("model.xml", parts[0]);
  const std::string bin = Scratch::instance().write("model.bin", parts[1]);
  DiagnosticList notes;
  const auto graph = ir::read_ir(xml, bin, ops(), notes);
  if (done_or_explained(graph) && done_or_explained(infer_graph(**graph))) results_of(**graph);
  carry_through(xml, bin);
}

}  // namespace mo::fuzz
