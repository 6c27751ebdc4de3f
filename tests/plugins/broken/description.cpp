// One flaw each, chosen by a definition FLAW_…: see CMakeLists.txt. Uses the interface itself instead of MO_PLUGIN,
// which would not allow it.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include <mo/plugins/sdk/abi.hpp>

#if defined(FLAW_future_function)
namespace mo {
void function_of_a_later_version();
}
#elif defined(FLAW_missing_library)
extern "C" void function_of_a_missing_library();
#endif

namespace {

#if defined(FLAW_throws_on_load)
const int kThrown = [] { return throw std::runtime_error("no licence"), 0; }();
#endif

void register_everything([[maybe_unused]] mo::Registry& registry) {
#if defined(FLAW_throws)
  throw std::runtime_error("no licence");
#elif defined(FLAW_throws_a_number)
  throw 42;
#elif defined(FLAW_crashes)
  std::raise(SIGSEGV);
#elif defined(FLAW_exits)
  std::exit(0);
#elif defined(FLAW_exits_at_once)
  const char* code = std::getenv("EXIT_CODE");
  _exit(code ? std::atoi(code) : 0);
#elif defined(FLAW_future_function)
  mo::function_of_a_later_version();
#elif defined(FLAW_missing_library)
  function_of_a_missing_library();
#endif
}

mo_plugin_description description() {
  mo_plugin_description made{MO_PLUGIN_ABI_VERSION, 0, MO_PLUGIN_BUILD_TAG, "good", "1.0", &register_everything};
#if defined(FLAW_other_abi)
  made.abi_version = 99;
#elif defined(FLAW_other_build)
  made.build_tag = "mo 0.0.1, SDK 0123456789abcdef, libstdc++";
#elif defined(FLAW_no_build_tag)
  made.build_tag = nullptr;
#elif defined(FLAW_no_name)
  made.name = nullptr;
#elif defined(FLAW_bad_name)
  made.name = "two words\n";
#elif defined(FLAW_reserved_name)
  made.name = "mo";
#elif defined(FLAW_no_version)
  made.version = nullptr;
#elif defined(FLAW_no_function)
  made.register_everything = nullptr;
#elif defined(FLAW_twin)
  made.version = "2.0";
#endif
  return made;
}

}  // namespace

#if !defined(FLAW_no_symbol)
extern "C" __attribute__((visibility("default"))) const mo_plugin_description* mo_plugin_describe() {
#if defined(FLAW_throws_on_description)
  throw std::runtime_error("no licence");
#elif defined(FLAW_no_description)
  return nullptr;
#else
  static const mo_plugin_description made = description();
  return &made;
#endif
}
#else
const void* unused() { return reinterpret_cast<const void*>(&description); }
#endif
