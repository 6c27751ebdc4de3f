#pragma once

#include "core/diagnostics/expected.hpp"
#include "core/files/file.hpp"

namespace mo::plugins {

/// Whether the dynamic linker can be asked to map this file. It trusts what it maps: a corrupt file would end the
/// process instead of being refused. Errors: MO-PLUGIN-0004 (no ELF file), MO-PLUGIN-0005 (of another machine),
/// MO-PLUGIN-0006 (truncated or corrupt), MO-PLUGIN-0007 (ELF, but no shared library).
Expected<void> check_shared_library(const File& file);

}  // namespace mo::plugins
