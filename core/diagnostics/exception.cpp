#include "core/diagnostics/exception.hpp"

#include <exception>
#include <new>

#include "core/diagnostics/misuse.hpp"

namespace mo {

Diagnostic caught_exception(std::string_view thrower) {
  std::string what = "something that is no std::exception";
  try {
    throw;
  } catch (const Misuse& misuse) {
    Diagnostic diagnostic = error("MO-PASS-0030", "{}: {}", thrower, misuse.what())
                                .hint("ask before use: a handle that is not there is false; counts are in_port_count and out_port_count");
    diagnostic.node = misuse.node();
    return diagnostic;
  } catch (const std::bad_alloc&) { throw; } catch (const std::exception& thrown) {
    what = thrown.what();
  } catch (...) {  // NOLINT: nothing is known of it
  }
  return error("MO-PLUGIN-0020", "{} threw an exception: {}", thrower, what)
      .hint("code of plugins reports errors by returning them; tell the author of the plugin");
}

}  // namespace mo
