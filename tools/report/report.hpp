#pragma once

#include <string>
#include <string_view>

#include "core/diagnostics/expected.hpp"
#include "tools/report/record.hpp"

namespace mo {
class InputFiles;
}

namespace mo::tools {

/// The record for programs: docs/schemas/report.schema.json. UTF-8 whatever the names of the model are. All that
/// differs between two runs is in "measurements".
std::string report_json(const ReportRecord& record);

/// The record for people: a page that holds everything it needs, for browsers, from a file. It shows the same JSON,
/// which lies in it.
std::string report_page(const ReportRecord& record);

/// Error MO-REPORT-0001 when `path` is the name of neither a page (.html) nor JSON (.json). To be asked before the work
/// begins.
Expected<void> check_report_path(std::string_view path);

/// Writes what the name of `path` asks for, whole or not at all, over an earlier report. `inputs` are never
/// overwritten; may be null. Errors: MO-REPORT-0001, of OutputSet.
Expected<void> write_report(const ReportRecord& record, const std::string& path, const InputFiles* inputs);

}  // namespace mo::tools
