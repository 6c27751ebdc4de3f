#pragma once

#include <string>

#include "tools/report/record.hpp"

namespace mo::tools {

/// "graphs" of a report: texts, sets of passes, and each graph as columns. Numbers that grow from row to row are told
/// as steps, so that a million of them take little room when they are packed.
void append_graphs(std::string& text, const ReportRecord& record);

}  // namespace mo::tools
