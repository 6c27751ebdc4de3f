#include "tests/allocation/failing_malloc.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>

// What glibc offers to programs that replace its allocator by one on top of it.
extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT
void* __libc_realloc(void* block, std::size_t size);             // NOLINT
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT
}

namespace {

constinit std::atomic<bool> armed = false;
constinit std::atomic<std::uint64_t> done = 0;
constinit std::uint64_t first_failure = 0;
constinit std::uint64_t failures = 0;

bool fails() {
  if (!armed.load(std::memory_order_relaxed)) return false;
  const std::uint64_t number = done.fetch_add(1, std::memory_order_relaxed);
  if (number < first_failure || number - first_failure >= failures) return false;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) { return fails() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return fails() ? nullptr : __libc_calloc(count, size); }
void* realloc(void* block, std::size_t size) { return fails() ? nullptr : __libc_realloc(block, size); }
void* memalign(std::size_t alignment, std::size_t size) { return fails() ? nullptr : __libc_memalign(alignment, size); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  void* made = memalign(alignment, size);
  if (!made) return ENOMEM;
  *block = made;
  return 0;
}
}

namespace mo::test {

void fail_allocations(std::uint64_t first, std::uint64_t count) {
  first_failure = first;
  failures = count;
  done = 0;
  armed = true;
}

std::uint64_t stop_failing() {
  armed = false;
  return done;
}

}  // namespace mo::test
