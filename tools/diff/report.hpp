#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/comparison/graph_changes.hpp"

namespace mo::tools {

/// A line for each difference, "-" removed, "+" added, "~" changed, and a last one that counts them.
std::string diff_text(const std::vector<GraphChange>& changes);
/// For programs: docs/schemas/diff.schema.json.
nlohmann::ordered_json diff_json(const std::vector<GraphChange>& changes);
/// Both graphs as one in the dot language: what was added green, removed red, changed yellow. Of large graphs the
/// neighbourhood of the changes.
std::string diff_picture(const Graph& before, const Graph& after, const std::vector<GraphChange>& changes, bool names);

}  // namespace mo::tools
