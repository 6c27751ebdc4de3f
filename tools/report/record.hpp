#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostics/diagnostic.hpp"
#include "core/pass/pass.hpp"
#include "driver/convert.hpp"
#include "tools/inspect/facts.hpp"
#include "tools/report/findings.hpp"

namespace mo::tools {

/// One thing that took time.
struct Step {
  std::string name;   ///< "read", "write", or a pass
  std::string phase;  ///< of a pass; otherwise the name
  double seconds = 0;
  bool changed = true;           ///< a pass found something to do
  std::uint64_t peak_bytes = 0;  ///< the most memory that the process had until then
};

/// The content of a report; plain data, so that it can be filled in by other means.
struct ReportRecord {
  enum class Kind { conversion, verification, comparison };

  Kind kind = Kind::conversion;
  std::string title;   ///< the model, or both
  std::string status;  ///< "converted", "failed"; of a verification its verdict; of a comparison "same" or "different"
  std::optional<ModelFacts> model;
  std::optional<ModelFacts> other_model;  ///< the second one of a comparison
  std::vector<GivenOption> options;
  std::vector<Diagnostic> messages;  ///< in their order; errors last
  std::optional<Report> ir;

  // Graphs: of the source (or the model before), and of the IR (or the model after), whose links name rows of the
  // first.
  TextTable texts;
  std::vector<GraphTable> graphs;
  std::vector<std::vector<std::string>> pass_sets;  ///< that GraphTable::passes means
  std::map<std::string, PassDescription> passes;    ///< that changed something and say what they do, by name

  std::vector<Fusion> fusions;
  std::vector<KeptTranspose> transposes;
  std::optional<ConstantFacts> constants;

  /// as `mo verify --json` prints it; null: nothing was compared
  std::shared_ptr<const nlohmann::ordered_json> verification;
  /// as `mo diff --json` prints it; null: the report is about one model
  std::shared_ptr<const nlohmann::ordered_json> comparison;
  std::vector<Step> steps;
};

}  // namespace mo::tools
