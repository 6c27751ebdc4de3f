#pragma once

namespace mo {

/// From now on a crash in code of a plugin, or a call of `exit` there, ends the process with a message that names the
/// plugin and what it was doing (plugins/loader/sudden_end.hpp), and what `convert` has not finished writing is
/// removed. For programs, not for libraries: replaces handlers of signals. `exit_code` takes the place of the one that
/// a plugin ends the process with.
void explain_ends_by_plugins(int exit_code);

/// What a program's own `_exit` calls first, so that the same holds for a plugin's call of it.
void ended_by_plugin() noexcept;

}  // namespace mo
