#pragma once

#include <fmt/format.h>

#include "core/diagnostics/exception.hpp"
#include "core/diagnostics/misuse.hpp"
#include "core/diagnostics/plugin_code.hpp"

namespace mo {

/// Calls the function of a replacer, where it is still known what it works on: `Result` is made of the error when it
/// throws a Misuse, or anything else in code of a plugin. `pass`: who runs.
template <class Result, class Fn>
Result run_replacer(std::string_view pass, const Fn& fn) {
  try {
    return fn();
  } catch (const Misuse&) { return caught_exception(fmt::format("pass {}", pass)); } catch (...) {
    if (!runs_plugin_code()) throw;
    return caught_exception(plugin_code_at_work());
  }
}

}  // namespace mo
