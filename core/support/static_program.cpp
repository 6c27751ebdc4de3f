#include "core/support/static_program.hpp"

// The linker's table of shared libraries; a static program has none.
extern "C" const char mo_dynamic_section[] __asm__("_DYNAMIC") __attribute__((weak));

namespace mo {

bool is_static_program() { return mo_dynamic_section == nullptr; }

}  // namespace mo
