#include "core/diagnostics/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace mo {

void assertion_failed(const char* condition, const char* message, const char* file, int line) {
  std::fprintf(stderr,
               "[ ERROR ]  this is a bug in mo: %s (%s) at %s:%d\n  hint    please report it, with the command line "
               "and `mo --version`\n",
               message, condition, file, line);
  std::abort();
}

}  // namespace mo
