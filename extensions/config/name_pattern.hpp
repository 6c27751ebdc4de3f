#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/diagnostics/expected.hpp"

namespace re2 {
class RE2;
}

namespace mo::config {

/// A regular expression for names of nodes, as configurations have them since the Python tool: it is tried at the
/// beginning of a name and need not reach its end (`re.match`). The syntax is RE2's: what Python has beyond it
/// (look-around, back-references, atomic groups) is refused.
class NamePattern {
 public:
  /// Error MO-CONFIG-0011, with what to write instead.
  static Expected<NamePattern> compile(const std::string& pattern);
  bool matches(std::string_view name) const;

  /// A pattern that matches just this text.
  static std::string quoted(std::string_view text);

 private:
  std::shared_ptr<const re2::RE2> pattern_;
};

}  // namespace mo::config
