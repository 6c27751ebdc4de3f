#include "core/files/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/files/input_files.hpp"
#include "core/support/budget.hpp"
#include "core/support/shell.hpp"

namespace mo {

namespace {

bool is_regular(int descriptor) {
  struct stat info {};
  return ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
}

/// What is read more than once, and in any order, has to be a file.
constexpr std::string_view kPipeHint = "a pipe cannot be read: save it to a file first, and give the path of that file";

}  // namespace

Expected<FilePtr> File::open(const std::string& path) {
  // O_NONBLOCK: opening a FIFO must not wait for a writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    Diagnostic problem = error("MO-IO-0001", "cannot open \"{}\": {}", path, std::strerror(errno));
    if (path == "-" && is_regular(STDIN_FILENO))
      return std::move(problem).hint("standard input is a file: give /dev/stdin");
    if (path == "-") return std::move(problem).hint("{}", kPipeHint);
    if (path.find("://") != std::string::npos)
      return std::move(problem).hint("fetch it first, then give the file: curl -LO {}", shell_word(path));
    return std::move(problem).hint("check the path and the permissions");
  }
  return adopt(descriptor, path);
}

Expected<FilePtr> File::adopt(int descriptor, const std::string& path) {
  std::shared_ptr<File> file(new File);
  file->descriptor_ = descriptor;
  file->path_ = path;
  struct stat info {};
  if (::fstat(descriptor, &info) != 0)
    return error("MO-IO-0001", "cannot read \"{}\": {}", path, std::strerror(errno))
        .hint("check the path and the permissions");
  if (S_ISFIFO(info.st_mode)) return error("MO-IO-0002", "\"{}\" is a pipe", path).hint("{}", kPipeHint);
  if (!S_ISREG(info.st_mode))
    return error("MO-IO-0002", "\"{}\" is {}", path, S_ISDIR(info.st_mode) ? "a directory" : "not a regular file")
        .hint("give the path of a file");
  file->size_ = static_cast<std::uint64_t>(info.st_size);
  file->device_ = info.st_dev;
  file->inode_ = info.st_ino;
  file->links_ = info.st_nlink;
  InputFiles::record(*file);
  if (Budget* budget = Budget::current()) budget->add_input(file->size_);
  return FilePtr(std::move(file));
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Expected<void> File::read(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return mo::error("MO-IO-0003", "cannot read \"{}\" at offset {}: {}", path_, offset + done, std::strerror(errno));
    if (got == 0)
      return mo::error("MO-IO-0003", "\"{}\" ends at offset {}, {} more bytes were expected", path_, offset + done,
                       out.size() - done)
          .hint("the file was truncated, or changed while it was read");
    done += static_cast<std::size_t>(got);
  }
  return {};
}

}  // namespace mo
