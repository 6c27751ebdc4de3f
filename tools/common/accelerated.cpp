#include "tools/common/accelerated.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <system_error>

#include "core/op/kernel_table.hpp"
#include "core/support/log.hpp"
#include "core/support/static_program.hpp"
#include "tools/common/program_place.hpp"

namespace mo::tools {
namespace {

constexpr const char* kLibrary = "libmo_accelerated.so";
constexpr const char* kEntry = "mo_accelerated_kernels";

/// How often OpenMP's threads look for work before they sleep: some microseconds, the time between two operations. By
/// default it is milliseconds: on a machine with shared processors they take those from threads that have work, and a
/// run takes three times as long.
constexpr const char* kSpins = "2000";

std::unique_ptr<KernelTable> load() {
  if (is_static_program()) return nullptr;
  // Only from where it was built or installed to: never from the current folder or LD_LIBRARY_PATH.
  const std::filesystem::path program = program_folder();
  const std::filesystem::path library = library_folder();
  for (const std::filesystem::path& place : {program / kLibrary, program.parent_path() / "lib" / "mo" / kLibrary,
                                             library / "mo" / kLibrary, library.parent_path() / "mo" / kLibrary}) {
    std::error_code ignored;
    if (!place.is_absolute() || !std::filesystem::exists(place, ignored)) continue;
    void* library = ::dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* reason = ::dlerror();
      log::info("accelerated kernels are not used: {}", reason != nullptr ? reason : "unknown reason");
      continue;
    }
    using Entry = void (*)(KernelTable*);
    const auto entry = reinterpret_cast<Entry>(::dlsym(library, kEntry));
    if (entry == nullptr) {
      log::info("accelerated kernels are not used: {} has no {}", place.string(), kEntry);
      continue;
    }
    auto table = std::make_unique<KernelTable>();
    entry(table.get());
    return table;
  }
  log::info("accelerated kernels are not used: there is no {} beside the program", kLibrary);
  return nullptr;
}

}  // namespace

const KernelTable* accelerated_kernels(int threads) {
  // OpenMP, which comes with the library, reads both when it is loaded. What the user has set counts.
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) setenv("GOMP_SPINCOUNT", kSpins, 0);
  if (threads > 0) setenv("OMP_NUM_THREADS", std::to_string(threads).c_str(), 1);
  static const std::unique_ptr<KernelTable> table = load();
  return table.get();
}

}  // namespace mo::tools
