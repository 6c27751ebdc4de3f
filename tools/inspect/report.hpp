#pragma once

#include <string>

#include "tools/inspect/plan.hpp"

namespace mo::tools {

/// The report for people; `layers`: with what each layer costs.
std::string report_text(const Plan& plan, bool layers);
/// The report for programs: docs/schemas/inspect.schema.json.
std::string report_json(const Plan& plan);

}  // namespace mo::tools
