#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/verify/verify.hpp"

namespace mo::tools {

/// "equal", "unstable", "different".
std::string_view to_string(Verdict verdict);

/// For people: a line for each output, then where the numbers part and who had to do with it.
std::string text_of(const Verification& verification);
/// Its last line: the verdict alone.
std::string summary_of(const Verification& verification);
/// For programs: docs/schemas/verify.schema.json. As a value, and as it is printed.
nlohmann::ordered_json verification_json(const Verification& verification);
std::string json_of(const Verification& verification);
/// The error that stands for "different": MO-VERIFY-0001.
Diagnostic as_error(const Verification& verification);

}  // namespace mo::tools
