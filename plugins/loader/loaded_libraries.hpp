#pragma once

#include <string>

#include "core/diagnostics/expected.hpp"
#include "core/files/file.hpp"

namespace mo::plugins {

/// The handle of `dlopen` for the very file that was checked: it is loaded through its descriptor, so it cannot be
/// replaced in between. A file that this process has loaded before gives the same handle. Libraries and their
/// descriptors stay open until the process ends, as graphs hold what came from them. Safe to call from several threads.
///
/// A library loaded this way finds those that it needs by absolute RUNPATH, LD_LIBRARY_PATH and the system's folders,
/// but not by `$ORIGIN`. Errors: MO-PLUGIN-0010, MO-PLUGIN-0011.
Expected<void*> load_library(const FilePtr& file);

/// The path of the library that was loaded above and has its code at this address; empty when there is none.
std::string library_at(const void* address);

}  // namespace mo::plugins
