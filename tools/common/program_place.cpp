#include "tools/common/program_place.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <string>
#include <system_error>

namespace mo::tools {

namespace fs = std::filesystem;

fs::path program_folder() {
  std::array<char, PATH_MAX> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0 || static_cast<std::size_t>(length) >= path.size()) return {};
  return fs::path(std::string(path.data(), static_cast<std::size_t>(length))).parent_path();
}

fs::path library_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&program_folder), &info) == 0 || info.dli_fname == nullptr) return {};
  return fs::path(info.dli_fname).parent_path();
}

fs::path shared_folder(const fs::path& name) {
  // PREFIX/bin/mo, PREFIX/lib/libmo.so, PREFIX/lib/ARCHITECTURE/libmo.so
  const fs::path library = library_folder();
  for (const fs::path& prefix :
       {program_folder().parent_path(), library.parent_path(), library.parent_path().parent_path()}) {
    const fs::path place = prefix / "share" / "mo" / name;
    std::error_code ignored;
    if (place.is_absolute() && fs::is_directory(place, ignored)) return place;
  }
  return {};
}

}  // namespace mo::tools
