#pragma once

namespace mo {

/// Whether this program is a static executable. The C library of such a program cannot load shared libraries: trying
/// ends in a crash.
bool is_static_program();

}  // namespace mo
