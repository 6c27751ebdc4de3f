#include "core/files/input_files.hpp"
#include "tools/common/write_file.hpp"
#include "tools/report/report.hpp"

namespace mo::tools {
namespace {

bool is_page(std::string_view path) { return path.ends_with(".html") || path.ends_with(".htm"); }

}  // namespace

Expected<void> check_report_path(std::string_view path) {
  if (is_page(path) || path.ends_with(".json")) return {};
  return error("MO-REPORT-0001", "--report: \"{}\" is the name of neither a page nor JSON", path)
      .hint("let it end in .html or .json");
}

Expected<void> write_report(const ReportRecord& record, const std::string& path, const InputFiles* inputs) {
  MO_TRY(check_report_path(path));
  return write_file(path, is_page(path) ? report_page(record) : report_json(record), inputs);
}

}  // namespace mo::tools
