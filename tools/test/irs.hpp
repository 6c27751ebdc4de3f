#pragma once

#include <string>

#include "core/graph/graph.hpp"

namespace mo::test {

/// With MO_GOLDEN_IRS=DIR: the graph that a case ends with goes through the phases that are left and becomes
/// DIR/v10/NAME.xml and DIR/v11/NAME.xml, where that is possible. For tests/e2e/check_golden_irs.py, which asks the
/// rules of the runtimes.
void keep_irs(const Graph& graph, const std::string& name, const std::string& framework = "onnx");

}  // namespace mo::test
