#include "tools/report/pair.hpp"

#include <fmt/format.h>

#include "tools/inspect/framework_facts.hpp"

namespace mo::tools {
namespace {

GraphTable table_of_model(ReportRecord& record, const ModelGraph& model, std::string title) {
  return table_of(*model.graph, model.source == ModelSource::framework ? OpNames::framework : OpNames::ir,
                  std::move(title), record.texts);
}

void mark(GraphTable& table, const Node& node, GraphTable::Mark mark) {
  if (!node) return;
  table.marks.resize(table.rows(), GraphTable::Mark::none);
  if (const std::uint32_t row = table.row_of(node); row != GraphTable::kNone)
    table.marks[row] = std::max(table.marks[row], mark);
}

}  // namespace

void add_source(ReportRecord& record, Conversion& conversion) {
  const Assembly& assembly = *conversion.assembly;
  record.model = facts_of_model(*conversion.graph, assembly);
  record.graphs.push_back(table_of(*conversion.graph, OpNames::framework, assembly.title + " model", record.texts));
}

void add_source_and_checked(ReportRecord& record, const ModelGraph& source, const ModelGraph& checked) {
  if (record.graphs.empty()) {
    const ModelGraph& first = source.graph ? source : checked;
    record.model = facts_of_model(first);
    record.graphs.push_back(table_of_model(record, first, record.model->framework));
  } else if (source.graph) {
    add_inferred(*record.model, *source.graph);
  }
  if (!source.graph) return;
  GraphTable table = table_of_model(record, checked, checked.source == ModelSource::ir ? "IR" : "checked model");
  link_by_sources(table, *checked.graph, record.graphs.front(), record.texts);
  record.graphs.push_back(std::move(table));
}

void add_before_and_after(ReportRecord& record, const ModelGraph& before, const ModelGraph& after,
                          const std::vector<GraphChange>& changes, bool names) {
  record.model = facts_of_model(before);
  record.other_model = facts_of_model(after);
  GraphTable first = table_of_model(record, before, fmt::format("before: {}", record.model->framework));
  GraphTable second = table_of_model(record, after, fmt::format("after: {}", record.other_model->framework));
  const GraphMatching matching = match_graphs(*before.graph, *after.graph, names);
  for (const Node& node : nodes_by_row(second, *after.graph)) {
    const Node partner = &node.graph() == after.graph.get() ? matching.before(node) : Node();
    if (partner) second.links.items.push_back(first.row_of(partner));
    second.links.end_row();
  }
  for (const GraphChange& change : changes) {
    const bool alone = change.kind == ChangeKind::added || change.kind == ChangeKind::removed;
    mark(first, change.before, alone ? GraphTable::Mark::alone : GraphTable::Mark::changed);
    mark(second, change.after, alone ? GraphTable::Mark::alone : GraphTable::Mark::changed);
  }
  record.graphs.push_back(std::move(first));
  record.graphs.push_back(std::move(second));
}

void mark_wrong(ReportRecord& record, std::string_view name) {
  if (record.graphs.empty()) return;
  GraphTable& table = record.graphs.back();
  const std::uint32_t text = record.texts.find(name);
  table.marks.resize(table.rows(), GraphTable::Mark::none);
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.name[row] == text) table.marks[row] = GraphTable::Mark::wrong;
}

}  // namespace mo::tools
