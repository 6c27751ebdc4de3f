#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/diagnostics/diagnostic.hpp"

namespace mo::tools {

/// Messages for programs: "messages" of docs/schemas/report.schema.json and docs/schemas/api_result.schema.json.
nlohmann::ordered_json messages_json(const std::vector<Diagnostic>& messages);

}  // namespace mo::tools
