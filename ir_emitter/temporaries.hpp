#pragma once

#include <string>

namespace mo::ir_emitter {

/// Puts a file on the list of what a signal removes; the slot, or -1 when the list is full or the path too long (such a file is removed by
/// its owner only).
int add_temporary(const std::string& path);
/// Takes it off again; -1 is allowed.
void drop_temporary(int slot);

}  // namespace mo::ir_emitter
