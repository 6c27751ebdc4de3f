#include "core/files/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <utility>

namespace mo {
namespace {

constexpr std::chrono::microseconds kFirstPause{200};
constexpr std::chrono::microseconds kLongestPause{20000};

}  // namespace

Expected<FolderLock> FolderLock::acquire(const std::string& folder, std::chrono::milliseconds patience) {
  FolderLock lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.held()) return lock;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  auto pause = kFirstPause;
  // Not a call that waits: `flock FOLDER mo …` on the command line would wait for itself.
  while (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return FolderLock(-1);
    if (std::chrono::steady_clock::now() > deadline)
      return error("MO-EMIT-0014", "another program holds the lock of the folder \"{}\"", folder)
          .hint("wait until it has ended; if it is flock(1) around mo itself, let that lock another file");
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, kLongestPause);
  }
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool try_lock(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

}  // namespace mo
