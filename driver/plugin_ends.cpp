#include "driver/plugin_ends.hpp"

#include "core/files/temporaries.hpp"
#include "plugins/loader/sudden_end.hpp"

namespace mo {

void explain_ends_by_plugins(int exit_code) { plugins::explain_sudden_ends(exit_code, remove_unfinished_output); }

void ended_by_plugin() noexcept { plugins::ended_by_plugin(); }

}  // namespace mo
