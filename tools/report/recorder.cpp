#include "tools/report/recorder.hpp"

#include <map>

#include "core/support/peak_memory.hpp"
#include "driver/given_model.hpp"
#include "tools/inspect/framework_facts.hpp"

namespace mo::tools {

ConversionRecorder::ConversionRecorder(const Options& options, DiagnosticSink& sink) : sink_(sink) {
  record_.title = output_name(options);
  record_.options = options.given;
  watch_.read = [this](Conversion& conversion) { is_read(conversion); };
  watch_.before_phase = [this](Phase phase, Conversion& conversion) { before_phase(phase, conversion); };
  watch_.before_writing = [this](Conversion& conversion) { before_writing(conversion); };
  watch_.written = [this](Conversion&) { written(); };
  watch_.constant_written = [this](const Node& constant, std::uint64_t offset, std::uint64_t bytes) {
    constants_.push_back({constant, offset, bytes});
  };
}

void ConversionRecorder::report(Diagnostic diagnostic) {
  // A note without a code is text that the user asked for.
  if (!diagnostic.code.empty()) record_.messages.push_back(diagnostic);
  sink_.report(std::move(diagnostic));
}

void ConversionRecorder::end_step(const std::string& name, const std::string& phase) {
  record_.steps.push_back({name, phase, stopwatch_.seconds() - step_began_, true, peak_memory()});
}

void ConversionRecorder::is_read(Conversion& conversion) {
  end_step("read", "read");
  const Assembly& assembly = *conversion.assembly;
  record_.model = facts_of_model(*conversion.graph, assembly);
  record_.graphs.push_back(table_of(*conversion.graph, OpNames::framework, assembly.title + " model", record_.texts));
  PassManager& manager = *conversion.manager;
  history_.watch(manager, *conversion.graph);
  manager.after_pass = [this, &manager, before = std::move(manager.after_pass)](const Pass& pass, const Graph& graph, bool changed) {
    const PassTiming& timing = manager.timings().back();
    record_.steps.push_back({timing.name, std::string(to_string(timing.phase)), timing.seconds, timing.changed, peak_memory()});
    if (before) before(pass, graph, changed);
  };
}

void ConversionRecorder::before_phase(Phase phase, Conversion& conversion) {
  if (phase == Phase::middle) add_inferred(*record_.model, *conversion.graph);
}

void ConversionRecorder::before_writing(Conversion& conversion) {
  const Graph& graph = *conversion.graph;
  GraphTable table = table_of(graph, OpNames::ir, "IR", record_.texts);
  const GraphTable& source = record_.graphs.front();
  link_by_sources(table, graph, source, record_.texts);
  const std::vector<Node> nodes = nodes_by_row(table, graph);
  add_passes(record_, table, nodes, history_);
  record_.fusions = fusions_in(table, nodes, source, record_.texts, history_);
  record_.transposes = transposes_in(table, nodes, source, record_.texts, history_);
  record_.graphs.push_back(std::move(table));
  step_began_ = stopwatch_.seconds();
}

void ConversionRecorder::written() {
  end_step("write", "write");
  record_.constants = constants_in(record_.graphs.back(), constants_, history_);
}

ReportRecord& ConversionRecorder::finish(const Expected<Report>& report) {
  record_.status = report ? "converted" : "failed";
  if (report) {
    record_.ir = *report;
  } else {
    record_.messages.insert(record_.messages.end(), report.error().items().begin(), report.error().items().end());
  }
  return record_;
}

void add_passes(ReportRecord& record, GraphTable& table, const std::vector<Node>& nodes, const PassHistory& history) {
  std::map<std::vector<std::string>, std::uint32_t> known;
  for (const Node& node : nodes) {
    const auto [set, is_new] = known.try_emplace(history.of(node), static_cast<std::uint32_t>(record.pass_sets.size()));
    if (is_new) record.pass_sets.push_back(set->first);
    table.passes.push_back(set->second);
  }
}

}  // namespace mo::tools
