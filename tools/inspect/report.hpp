#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "tools/inspect/plan.hpp"

namespace mo::tools {

/// The report for people; `layers`: with what each layer costs.
std::string report_text(const Plan& plan, bool layers);
/// Its last lines: the command line that converts, which begins with `command` ("mo", "mo verify"), and what it
/// assumes; empty when there is none.
std::string proposal_text(const Plan& plan, std::string_view command);
/// The report for programs: docs/schemas/inspect.schema.json. As a value, and as it is printed.
nlohmann::ordered_json plan_json(const Plan& plan);
std::string report_json(const Plan& plan);

}  // namespace mo::tools
