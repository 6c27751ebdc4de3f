#include "core/diagnostics/exception.hpp"

#include <exception>
#include <new>

#include "core/diagnostics/misuse.hpp"
#include "core/diagnostics/plugin_code.hpp"

namespace mo {

Diagnostic caught_exception(std::string_view thrower) {
  std::string what = "something that is not a std::exception";
  try {
    throw;
  } catch (const Misuse& misuse) {
    std::string plugin = plugin_code_at_work();
    Diagnostic diagnostic = plugin.empty() ? error("MO-PASS-0030", "{}: {}", thrower, misuse.what())
                                           : error("MO-PLUGIN-0031", "{}: {}", plugin, misuse.what());
    diagnostic.hint_text =
        fmt::format("what is not there (a port, a node, an attribute, a value) is false: ask before it is used{}",
                    plugin.empty() ? "" : "; tell the author of the plugin");
    diagnostic.node = misuse.node();
    diagnostic.plugin_code = std::move(plugin);
    return diagnostic;
  } catch (const std::bad_alloc&) { throw; } catch (const std::exception& thrown) {
    what = thrown.what();
  } catch (...) {  // NOLINT: nothing is known of it
  }
  Diagnostic diagnostic = error("MO-PLUGIN-0020", "{} threw an exception: {}", thrower, what)
                              .hint("code of plugins reports errors by returning them; tell the author of the plugin");
  diagnostic.plugin_code = plugin_code_at_work();
  return diagnostic;
}

}  // namespace mo
