#include "core/files/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace mo {
namespace {

/// Small enough to stay in the second-level cache from reading over hashing to writing, and a whole number of pages.
constexpr std::size_t kPieceBytes = std::size_t{1} << 18;
/// Pages of the page cache.
constexpr std::size_t kPageBytes = 4096;
/// What is posted at once, so that writing and hashing go hand in hand.
constexpr std::size_t kMostPosted = std::size_t{1} << 20;
constexpr std::size_t kPieceRoom = kPieceBytes + kPageBytes;
/// Where a piece may begin in its page.
constexpr std::uint64_t kShift = kPageBytes / 2;
/// Below this a stretch that is gathered with its neighbours is cheaper than a system call of its own.
constexpr std::uint64_t kSmall = std::uint64_t{64} << 10;
constexpr std::uint64_t kWorthReserving = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxReserved = std::uint64_t{1} << 30;

}  // namespace

Diagnostic cannot_write(const std::string& path, int error_number) {
  Diagnostic d = error("MO-EMIT-0001", "cannot write \"{}\": {}", path, std::strerror(error_number));
  switch (error_number) {
    case ENOSPC:
    case EDQUOT: return std::move(d).hint("free some space, or write to another place");
    case EFBIG:
      return std::move(d).hint(
          "the file system or a limit of the process (ulimit -f) does not allow a file of this size");
    case ENAMETOOLONG: return std::move(d).hint("choose a shorter name");
    case ENOENT:
    case ENOTDIR: return std::move(d).hint("check that its folder exists and is a folder");
    default: return std::move(d).hint("check the permissions, or write to another place");
  }
}

Expected<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& temporary, const std::string& path,
                                                         bool durable) {
  std::unique_ptr<OutputFile> file(new OutputFile);
  file->path_ = path;
  file->durable_ = durable;
  file->open(::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (file->closed()) return cannot_write(path, errno);
  return file;
}

Expected<std::unique_ptr<OutputFile>> OutputFile::create_in_memory(const std::string& name) {
  std::unique_ptr<OutputFile> file(new OutputFile);
  file->path_ = name;
  file->in_memory_ = true;
  file->open(MemoryFile::make_descriptor());
  if (file->closed()) return cannot_write(name, errno);
  return file;
}

void OutputFile::open(int descriptor) {
  descriptor_ = descriptor;
  if (!closed()) behind_.emplace(descriptor);
}

OutputFile::~OutputFile() {
  behind_.reset();
  if (!closed()) ::close(descriptor_);
}

Expected<void> OutputFile::take_piece() {
  if (has_piece_) return {};
  if (!pieces_)
    pieces_.reset(static_cast<std::byte*>(std::aligned_alloc(kPageBytes, WriteBehind::kSlots * kPieceRoom)));
  if (!pieces_) return error("MO-CORE-0001", "no memory to write \"{}\"", path_);
  behind_->make_room();  // the piece was posted at least so many posts ago
  piece_begin_ = next_piece_ * kPieceRoom + static_cast<std::size_t>(posted_ % kPageBytes);
  next_piece_ = (next_piece_ + 1) % WriteBehind::kSlots;
  has_piece_ = true;
  return {};
}

Expected<void> OutputFile::post(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner) {
  while (!bytes.empty()) {
    behind_->make_room();
    const std::span<const std::byte> part = bytes.first(std::min(bytes.size(), kMostPosted));
    behind_->post({part, owner});
    posted_ += part.size();
    bytes = bytes.subspan(part.size());
  }
  return failure();
}

Expected<void> OutputFile::failure() const {
  WriteBehind::Failure failure = behind_->failure();
  if (failure.error) return std::move(*failure.error);
  if (failure) return cannot_write(path_, failure.number);
  return {};
}

Expected<void> OutputFile::flush() {
  if (pending_ == 0) return {};
  has_piece_ = false;
  return post({piece(), std::exchange(pending_, 0)}, nullptr);
}

Expected<void> OutputFile::written() {
  behind_->wait();
  return failure();
}

Expected<void> OutputFile::write(std::span<const std::byte> bytes) {
  if (bytes.size() >= kPieceBytes) {
    MO_TRY(write(bytes, nullptr));
    return written();  // who owns the bytes may free them now
  }
  while (!bytes.empty()) {
    MO_TRY(take_piece());
    const std::size_t step = std::min(bytes.size(), kPieceBytes - posted_ % kPageBytes - pending_);
    std::memcpy(piece() + pending_, bytes.data(), step);
    pending_ += step;
    bytes = bytes.subspan(step);
    if (!bytes.empty()) MO_TRY(flush());
  }
  return {};
}

Expected<void> OutputFile::write(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner) {
  if (bytes.size() < kSmall) return write(bytes);
  MO_TRY(flush());
  return post(bytes, owner);
}

Expected<void> OutputFile::write_later(std::uint64_t size, MakeStretch make) {
  MO_TRY(flush());
  behind_->make_room();
  behind_->post(size, std::move(make));
  posted_ += size;
  return failure();
}

Expected<void> OutputFile::copy(const File& source, std::uint64_t offset, std::uint64_t bytes) {
  if (bytes >= kSmall) MO_TRY(flush());
  // Within their pages, pieces lie as they will in the destination, so that writing is fast. When the source lies a
  // little before that, reading would be slow: a load waits for a store that has the same low 12 bits of the address.
  // Half a page in between helps: 436 MB whose place moves by 12 bytes take 0.9 s in pread without it, 0.2 s with it.
  const std::uint64_t ahead = (size() - offset) % kPageBytes;
  const std::size_t shift = bytes >= kSmall && ahead > 0 && ahead < kShift ? kShift : 0;
  while (bytes > 0) {
    MO_TRY(take_piece());
    if (pending_ == 0) piece_begin_ = piece_begin_ / kPageBytes * kPageBytes + (piece_begin_ + shift) % kPageBytes;
    // Up to the end of a page, so that the following pieces fill whole pages.
    const auto step =
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes, kPieceBytes - posted_ % kPageBytes - pending_));
    MO_TRY(source.read(offset, {piece() + pending_, step}));
    pending_ += step;
    offset += step;
    bytes -= step;
    if (bytes > 0) MO_TRY(flush());
  }
  return {};
}

void OutputFile::reserve(std::uint64_t bytes) {
  // Only advice: what the file system cannot do, or has no room for, shows when it is written. Not more than what
  // helps: shared constants may make the file far smaller than announced.
  if (bytes < kWorthReserving) return;
  reserved_ = true;  // also after a failure, which may leave a part
  static_cast<void>(
      ::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(std::min(bytes, kMaxReserved))));
}

Expected<void> OutputFile::read_back(std::uint64_t offset, std::span<std::byte> out) {
  MO_ASSERT(offset <= size() && out.size() <= size() - offset, "reading back what was not written");
  if (out.empty()) return {};
  if (offset >= posted_) {
    std::memcpy(out.data(), piece() + (offset - posted_), out.size());
    return {};
  }
  if (offset + out.size() > posted_) MO_TRY(flush());
  MO_TRY(written());
  while (!out.empty()) {
    const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return cannot_write(path_, got < 0 ? errno : EIO);
    offset += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return {};
}

void OutputFile::keep_hash() {
  MO_ASSERT(size() == 0, "the hash of a file is of all its bytes");
  behind_->keep_hash();
}

Expected<std::uint64_t> OutputFile::hash() {
  MO_ASSERT(behind_->keeps_hash(), "the hash of a file was not kept");
  MO_TRY(flush());
  return behind_->digest();
}

Expected<void> OutputFile::close() {
  MO_TRY(flush());
  MO_TRY(written());
  behind_.reset();
  // gives back what was not needed
  if (reserved_ && ::ftruncate(descriptor_, static_cast<off_t>(posted_)) != 0) return cannot_write(path_, errno);
  if (in_memory_) {
    MO_ASSIGN(memory_, MemoryFile::adopt(std::exchange(descriptor_, -1)));
    return {};
  }
  if (durable_ && ::fsync(descriptor_) != 0) return cannot_write(path_, errno);
  // Network file systems report a full disk only here.
  const int result = ::close(std::exchange(descriptor_, -1));
  if (result != 0 && errno != EINTR) return cannot_write(path_, errno);
  return {};
}

}  // namespace mo
