#include "core/files/memory_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mo {
namespace {

Diagnostic no_memory_for(std::uint64_t bytes) {
  return error("MO-LIMIT-0006", "a file of {} bytes cannot be kept in memory: {}", bytes, std::strerror(errno))
      .hint("give the path of a file, or raise the limits of the process (memory, open files)");
}

}  // namespace

int MemoryFile::make_descriptor() { return ::memfd_create("mo", MFD_CLOEXEC); }

Expected<std::shared_ptr<const MemoryFile>> MemoryFile::copy_of(std::span<const std::byte> bytes) {
  const int descriptor = make_descriptor();
  if (descriptor < 0) return no_memory_for(bytes.size());
  for (std::span<const std::byte> rest = bytes; !rest.empty();) {
    const ssize_t done = ::write(descriptor, rest.data(), rest.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      Diagnostic problem = no_memory_for(bytes.size());
      ::close(descriptor);
      return problem;
    }
    rest = rest.subspan(static_cast<std::size_t>(done));
  }
  return adopt(descriptor);
}

Expected<std::shared_ptr<const MemoryFile>> MemoryFile::adopt(int descriptor) {
  std::shared_ptr<MemoryFile> file(new MemoryFile(descriptor));
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) return no_memory_for(0);
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return std::shared_ptr<const MemoryFile>(std::move(file));  // nothing can be mapped of it
  const void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (mapped == MAP_FAILED) return no_memory_for(size);
  file->bytes_ = {static_cast<const std::byte*>(mapped), size};
  return std::shared_ptr<const MemoryFile>(std::move(file));
}

MemoryFile::~MemoryFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  ::close(descriptor_);
}

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

}  // namespace mo
