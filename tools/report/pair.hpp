#pragma once

#include "core/comparison/graph_changes.hpp"
#include "driver/model_graph.hpp"
#include "tools/report/record.hpp"

namespace mo::tools {

/// Adds the model that is to be converted, as it was read.
void add_source(ReportRecord& record, Conversion& conversion);
/// Adds the models of a verification; the source only when add_source did not. Nodes belong together by provenance and
/// names.
void add_source_and_checked(ReportRecord& record, const ModelGraph& source, const ModelGraph& checked);
/// Adds two models that were compared: what is in each, and both graphs, with pairs as match_graphs makes them and
/// marks at what differs. Nodes of bodies have no partners.
void add_before_and_after(ReportRecord& record, const ModelGraph& before, const ModelGraph& after,
                          const std::vector<GraphChange>& changes, bool names);
/// Marks the nodes of that name in the last graph.
void mark_wrong(ReportRecord& record, std::string_view name);

}  // namespace mo::tools
