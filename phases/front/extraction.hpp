#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/pass/pass.hpp"
#include "core/registry/operator_table.hpp"
#include "phases/front/unknown_attributes.hpp"

namespace mo::phases {

/// Why a framework node could not be extracted.
struct ExtractionFailure {
  std::optional<Error> error;                   ///< what its extractor says
  std::vector<std::string> unknown_attributes;  ///< without an error: what the extractor did not ask for
};

/// What is wrong with framework nodes, as far as it is known before inference.
struct ExtractionFailures {
  /// Nodes that could not be extracted, by name and op. They stay as they were: a cut or a replacer may still remove
  /// them, or move them into a body.
  std::map<std::pair<std::string, std::string>, ExtractionFailure> nodes;
  /// Of nodes that passes of the front phase take apart (OperatorTable::take_apart).
  UnknownAttributes of_structures;
};

/// Pass "Extraction": every framework node ("onnx::Softmax") becomes the op that its extractor says, unless it has
/// attributes that the extractor does not know and `ignored` does not list.
Pass extraction(const OperatorTable& table, std::string framework, std::shared_ptr<ExtractionFailures> failures,
                std::shared_ptr<IgnoredAttributes> ignored = {});

/// Pass "StructureAttributes": after cuts and replacements of configurations, before control flow, lists and tables are
/// taken apart, notes the attributes of their nodes that no such pass knows. So it does for all nodes of a graph that
/// has any: the passes may take them in. `before`: the first of these passes.
Pass structure_attributes(const OperatorTable& table, std::string framework,
                          std::shared_ptr<ExtractionFailures> failures, std::vector<std::string> before,
                          std::shared_ptr<IgnoredAttributes> ignored = {});

/// Pass "ReportUnsupported": all nodes that no extractor and no replacer turned into an op of `ops/`, in one error with
/// one diagnostic for each op type: MO-FRONT-0001 (unsupported op), MO-FRONT-0002 (unsupported version of an op), or
/// what its extractor said; and one for each attribute of an op that the extractor does not know, MO-FRONT-0005.
Pass report_unsupported(const OperatorTable& table, std::string framework,
                        std::shared_ptr<ExtractionFailures> failures);

}  // namespace mo::phases
