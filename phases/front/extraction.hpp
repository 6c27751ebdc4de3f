#pragma once

#include <map>
#include <memory>

#include "core/pass/pass.hpp"
#include "core/registry/operator_table.hpp"

namespace mo::phases {

/// Framework nodes that could not be extracted, by name and op, and why. They stay as they were: a cut or a replacer may still remove them, or
/// move them into a body.
using ExtractionFailures = std::map<std::pair<std::string, std::string>, Error>;

/// Pass "Extraction": every framework node ("onnx::Softmax") becomes the op that its extractor says.
/// Warning MO-FRONT-0005 for attributes that the extractor does not know.
Pass extraction(const OperatorTable& table, std::string framework, std::shared_ptr<ExtractionFailures> failures);

/// Pass "ReportUnsupported": all nodes that no extractor and no replacer turned into an op of `ops/`, in one error with one diagnostic for
/// each op type: MO-FRONT-0001 (unsupported op), MO-FRONT-0002 (unsupported version of an op), or what its extractor said.
Pass report_unsupported(const OperatorTable& table, std::string framework, std::shared_ptr<ExtractionFailures> failures);

}  // namespace mo::phases
