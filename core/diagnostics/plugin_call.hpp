#pragma once

#include <string>

#include "core/diagnostics/exception.hpp"
#include "core/diagnostics/expected.hpp"
#include "core/diagnostics/plugin_code.hpp"

namespace mo {

/// Puts errors down to code of a plugin: `who` is "pass Fuse of plugin acme".
inline void blame(Error& error, const std::string& who) {
  for (Diagnostic& diagnostic : error.items())
    if (diagnostic.plugin_code.empty()) diagnostic.plugin_code = who;
}

/// Runs code of a plugin: `fn` returns an Expected. The only way into it: what it throws and what it reports is an
/// error of the plugin.
template <class Fn>
auto call_plugin(const std::string& who, const Fn& fn) -> decltype(fn()) {
  const PluginCode running(who);
  try {
    auto result = fn();
    if (!result) blame(result.error(), who);
    return result;
  } catch (...) { return caught_exception(who); }
}

}  // namespace mo
