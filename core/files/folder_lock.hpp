#pragma once

#include <chrono>
#include <string>

#include "core/diagnostics/expected.hpp"

namespace mo {

/// An exclusive lock on a folder, by `flock`: between processes and between threads. There is no lock file that could
/// be left over.
class FolderLock {
 public:
  /// Waits for it: it is held for a few renames; a process that holds it longer does not write outputs. Error
  /// MO-EMIT-0014 (another process keeps it). Where the folder cannot be opened or the file system has no such locks,
  /// the result holds nothing.
  static Expected<FolderLock> acquire(const std::string& folder,
                                      std::chrono::milliseconds patience = std::chrono::seconds(30));
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;

  bool held() const { return descriptor_ >= 0; }

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

/// Takes the lock of an open folder if it is free.
bool try_lock(int descriptor);

}  // namespace mo
