#pragma once

#include <string>

#include "core/diagnostics/expected.hpp"

namespace mo::testing {

/// The code of the first diagnostic; "" when there is a value.
template <class T>
std::string code_of(const Expected<T>& result) {
  return result ? std::string() : result.error().first().code;
}

/// The character of the option's text that the caret points at; "end" after the last one, "" without a caret.
template <class T>
std::string under_caret(const Expected<T>& result) {
  if (result || result.error().first().notes.size() < 2) return {};
  const std::string& text = result.error().first().notes[0];
  const std::string& caret = result.error().first().notes[1];
  return caret.size() - 1 < text.size() ? text.substr(caret.size() - 1, 1) : "end";
}

}  // namespace mo::testing
