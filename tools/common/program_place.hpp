#pragma once

#include <filesystem>
#include <vector>

namespace mo::tools {

/// Folder of the running program; empty when the system does not tell.
std::filesystem::path program_folder();

/// Folder of the shared library that this code is part of (`libmo.so`), wherever the program that uses it lies; for mo
/// itself that of the program.
std::filesystem::path library_folder();

/// The folder `share/mo/NAME` of the installation or the build that the running code belongs to; empty when there is
/// none. Never a place that the current folder or the environment decides on.
std::filesystem::path shared_folder(const std::filesystem::path& name);

}  // namespace mo::tools
