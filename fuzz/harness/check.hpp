#pragma once

#include <string_view>

#include "core/diagnostics/expected.hpp"

namespace mo::fuzz {

/// Ends the process the way a crash does, which is what a fuzzer and the replay take for a finding.
[[noreturn]] void finding(std::string_view what);

/// A finding unless the property holds.
inline void require(bool holds, std::string_view property) {
  if (!holds) finding(property);
}

/// Every error has a code of mo and a text, and blames something else than mo.
void require_explained(const Error& error);

/// For whatever may fail, as long as it says why: whether it was done.
template <class T>
bool done_or_explained(const Expected<T>& result) {
  if (!result) require_explained(result.error());
  return result.has_value();
}

}  // namespace mo::fuzz
