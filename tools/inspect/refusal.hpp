#pragma once

#include <string>
#include <vector>

namespace mo::tools {

/// One reason why a conversion ends without an IR.
struct Refusal {
  std::string code;
  std::string op;  ///< as the framework calls it; empty when no op is to blame
  std::string message;
  std::string hint;
  std::vector<std::string> remedies;  ///< further lines: what to give with --custom_ops …
  /// all that are refused for it, by name; none when it is about the whole model
  std::vector<std::string> nodes;
};

}  // namespace mo::tools
