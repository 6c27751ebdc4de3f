#pragma once

#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {

/// Error MO-TF-0042 for a variable that node `changed_by` changes before it is read.
inline Diagnostic changed_variable(const FrameworkNode& node, std::string_view changed_by) {
  return node.error("MO-TF-0042", "the variable is changed by '{}' before it is read", changed_by)
      .hint("a model that changes its own variables cannot be expressed; cut it there with --input");
}

}  // namespace mo::tensorflow
