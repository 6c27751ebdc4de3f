#include "ir_emitter/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ir_emitter/temporaries.hpp"

namespace mo::ir_emitter {
namespace {

constexpr std::size_t kPending = std::size_t{1} << 20;
/// One request to the kernel, and one piece that goes through memory.
constexpr std::uint64_t kCopyStep = std::uint64_t{4} << 20;
constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
/// Pages of the page cache. 400 MB on ext4: the kernel copies from page to page in 0.095 s where source and destination lie alike in their
/// pages, in 0.148 s where they do not; reading and writing through 1 MB takes 0.093 s either way.
constexpr std::uint64_t kPage = 4096;
/// Below this a copy through memory is cheaper than flushing and a system call of its own.
constexpr std::uint64_t kSmallCopy = std::uint64_t{64} << 10;
constexpr std::uint64_t kMaxReserved = std::uint64_t{1} << 30;
constexpr int kNameAttempts = 100;

}  // namespace

Diagnostic OutputFile::failure(int error_number) const {
  Diagnostic d = error("MO-EMIT-0001", "cannot write \"{}\": {}", path_, std::strerror(error_number));
  switch (error_number) {
    case ENOSPC:
    case EDQUOT: return std::move(d).hint("free some space, or choose another place with --output_dir");
    case EFBIG: return std::move(d).hint("the file system or a limit of the process (ulimit -f) does not allow a file of this size");
    case ENAMETOOLONG: return std::move(d).hint("choose a shorter --model_name");
    case ENOENT:
    case ENOTDIR: return std::move(d).hint("--output_dir must be a directory that exists");
    default: return std::move(d).hint("check the permissions, or choose another place with --output_dir");
  }
}

Expected<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& path) {
  std::unique_ptr<OutputFile> file(new OutputFile);
  file->path_ = path;
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return error("MO-EMIT-0002", "\"{}\" exists and is {}", path, S_ISDIR(info.st_mode) ? "a directory" : "not a regular file")
        .hint("remove it, or choose another --model_name or --output_dir");
  for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
    file->temporary_ = fmt::format("{}.tmp-{}", path, ::getpid()) + (attempt == 0 ? "" : fmt::format("-{}", attempt));
    // In the list first: a signal right after the file came into being must find it.
    file->slot_ = add_temporary(file->temporary_);
    file->descriptor_ = ::open(file->temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file->descriptor_ >= 0) {
      file->exists_ = true;
      return file;
    }
    const int reason = errno;
    drop_temporary(std::exchange(file->slot_, -1));
    if (reason != EEXIST) return file->failure(reason);
  }
  return file->failure(EEXIST);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (exists_) ::unlink(temporary_.c_str());
  drop_temporary(slot_);
}

Expected<void> OutputFile::write_through(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor_, bytes.data(), std::min<std::size_t>(bytes.size(), kCopyStep));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return failure(errno);
    if (done == 0) return failure(EIO);
    flushed_ += static_cast<std::uint64_t>(done);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
  return {};
}

Expected<void> OutputFile::flush() {
  MO_TRY(write_through(pending_));
  pending_.clear();
  return {};
}

Expected<void> OutputFile::write(std::span<const std::byte> bytes) {
  if (bytes.size() > kPending - std::min(kPending, pending_.size())) MO_TRY(flush());
  if (bytes.size() >= kPending) return write_through(bytes);
  if (pending_.capacity() == 0) pending_.reserve(kPending);
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
  return {};
}

Expected<void> OutputFile::copy(const File& source, std::uint64_t offset, std::uint64_t bytes) {
  if (bytes < kSmallCopy) {
    std::vector<std::byte> piece(static_cast<std::size_t>(bytes));
    MO_TRY(source.read(offset, piece));
    return write(piece);
  }
  MO_TRY(flush());
  if (offset % kPage == flushed_ % kPage) {
    while (bytes > 0) {
      auto from = static_cast<off_t>(offset);
      const ssize_t done = ::copy_file_range(source.descriptor(), &from, descriptor_, nullptr, std::min(bytes, kCopyStep), 0);
      if (done < 0 && errno == EINTR) continue;
      // Whatever the kernel cannot do here (another file system, an old kernel, a source that ends early), reading and writing does,
      // or reports.
      if (done <= 0) break;
      flushed_ += static_cast<std::uint64_t>(done);
      offset += static_cast<std::uint64_t>(done);
      bytes -= static_cast<std::uint64_t>(done);
    }
  }
  if (bytes > 0 && !piece_) piece_.reset(static_cast<std::byte*>(std::aligned_alloc(kPage, kPiece)));
  if (bytes > 0 && !piece_) return error("MO-CORE-0001", "no memory to copy \"{}\"", path_);
  while (bytes > 0) {
    // Up to the end of a page, so that the following pieces fill whole pages.
    const std::uint64_t step = std::min(bytes, kPiece - flushed_ % kPage);
    const std::span<std::byte> part(piece_.get(), static_cast<std::size_t>(step));
    MO_TRY(source.read(offset, part));
    MO_TRY(write_through(part));
    offset += step;
    bytes -= step;
  }
  return {};
}

void OutputFile::reserve(std::uint64_t bytes) {
  // Only advice: what the file system cannot do, or has no room for, shows when it is written. Not more than what helps: shared constants may
  // make the file far smaller than announced.
  if (bytes < kPiece) return;
  reserved_ = true;  // also after a failure, which may leave a part
  static_cast<void>(::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(std::min(bytes, kMaxReserved))));
}

Expected<void> OutputFile::read_back(std::uint64_t offset, std::span<std::byte> out) {
  MO_ASSERT(offset <= size() && out.size() <= size() - offset, "reading back what was not written");
  if (out.empty()) return {};
  if (offset >= flushed_) {
    std::memcpy(out.data(), pending_.data() + (offset - flushed_), out.size());
    return {};
  }
  if (offset + out.size() > flushed_) MO_TRY(flush());
  while (!out.empty()) {
    const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return failure(got < 0 ? errno : EIO);
    offset += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

Expected<void> OutputFile::close() {
  MO_TRY(flush());
  if (reserved_ && ::ftruncate(descriptor_, static_cast<off_t>(flushed_)) != 0) return failure(errno);  // gives back what was not needed
  // Network file systems report a full disk only here.
  const int result = ::close(std::exchange(descriptor_, -1));
  if (result != 0 && errno != EINTR) return failure(errno);
  return {};
}

Expected<void> OutputFile::commit() {
  MO_ASSERT(descriptor_ < 0, "an open file is given its name");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return failure(errno);
  exists_ = false;
  drop_temporary(std::exchange(slot_, -1));
  return {};
}

void add_identity(std::vector<FileIdentity>& files, const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) files.push_back({info.st_dev, info.st_ino, path});
}

Expected<void> check_not_an_input(const std::string& path, const std::vector<FileIdentity>& files) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};
  for (const FileIdentity& file : files)
    if (file.device == info.st_dev && file.inode == info.st_ino)
      return error("MO-EMIT-0003", "\"{}\" would overwrite the input \"{}\"", path, file.path).hint("choose another --output_dir or --model_name");
  return {};
}

}  // namespace mo::ir_emitter
