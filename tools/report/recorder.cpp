#include "tools/report/recorder.hpp"

#include <map>

#include "core/support/peak_memory.hpp"
#include "driver/given_model.hpp"
#include "tools/report/pair.hpp"

namespace mo::tools {

void RecordingSink::report(Diagnostic diagnostic) {
  record.messages.push_back(diagnostic);
  sink_.report(std::move(diagnostic));
}

ConversionRecorder::ConversionRecorder(const Options& options, DiagnosticSink& sink) : RecordingSink(sink) {
  record.title = output_name(options);
  record.options = options.given;
  watch_.read = [this](Conversion& conversion) { is_read(conversion); };
  watch_.before_phase = [this](Phase phase, Conversion& conversion) { before_phase(phase, conversion); };
  watch_.before_writing = [this](Conversion& conversion) { before_writing(conversion); };
  watch_.written = [this](Conversion&) { written(); };
  watch_.constant_written = [this](const Node& constant, std::uint64_t offset, std::uint64_t bytes) {
    constants_.push_back({constant, offset, bytes});
  };
}

void ConversionRecorder::end_step(const std::string& name, const std::string& phase) {
  record.steps.push_back({name, phase, stopwatch_.seconds() - step_began_, true, peak_memory()});
}

void ConversionRecorder::is_read(Conversion& conversion) {
  end_step("read", "read");
  add_source(record, conversion);
  history_.watch(*conversion.manager, *conversion.graph);
  conversion.manager->also_after_pass([this](const PassEvent& event) {
    record.steps.push_back(
        {event.pass.name, std::string(to_string(event.pass.phase)), event.seconds, event.changed, peak_memory()});
    if (const PassDescription& form = event.pass.description; event.changed && !form.after.empty())
      record.passes.try_emplace(event.pass.name, form);
  });
}

void ConversionRecorder::before_phase(Phase phase, Conversion& conversion) {
  if (phase == Phase::middle) add_inferred(*record.model, *conversion.graph);
}

void ConversionRecorder::before_writing(Conversion& conversion) {
  const Graph& graph = *conversion.graph;
  GraphTable table = table_of(graph, OpNames::ir, "IR", record.texts);
  const GraphTable& source = record.graphs.front();
  link_by_sources(table, graph, source, record.texts);
  const std::vector<Node> nodes = nodes_by_row(table, graph);
  add_passes(record, table, nodes, history_);
  record.fusions = fusions_in(table, nodes, source, record.texts, history_);
  record.transposes = transposes_in(table, nodes, source, record.texts, history_);
  record.graphs.push_back(std::move(table));
  step_began_ = stopwatch_.seconds();
}

void ConversionRecorder::written() {
  end_step("write", "write");
  record.constants = constants_in(record.graphs.back(), constants_, history_);
}

void ConversionRecorder::finish(const Expected<Report>& report) {
  record.status = report ? "converted" : "failed";
  if (report) {
    record.ir = *report;
  } else {
    record.messages.insert(record.messages.end(), report.error().items().begin(), report.error().items().end());
  }
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
