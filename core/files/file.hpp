#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/diagnostics/expected.hpp"

namespace mo {

/// Whether files that a model names may be reached through symbolic links and have several names. A model from
/// somewhere else could make other files of the machine part of its IR then; the cache of a model hub is nothing but
/// links.
enum class Links { refused, followed };

/// A regular file opened for reading. Reads go through pread: a file that shrinks is an error, never a signal.
/// Immutable and shared: a file stays open as long as some buffer refers to a range of it.
class File {
 public:
  /// Opens `path` and checks that it is a regular file. Errors: MO-IO-0001 (missing or unreadable), MO-IO-0002 (not a
  /// file).
  static Expected<std::shared_ptr<const File>> open(const std::string& path);
  /// Takes over an open descriptor of a regular file, `path` is for messages only.
  static Expected<std::shared_ptr<const File>> adopt(int descriptor, const std::string& path);

  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  const std::string& path() const { return path_; }
  /// Size when it was opened.
  std::uint64_t size() const { return size_; }
  int descriptor() const { return descriptor_; }
  /// Whether both are the same file on disk.
  bool same_file(const File& other) const { return device_ == other.device_ && inode_ == other.inode_; }
  std::uint64_t device() const { return device_; }
  std::uint64_t inode() const { return inode_; }
  std::uint64_t link_count() const { return links_; }

  /// Fills `out` from `offset`. Error MO-IO-0003 when fewer bytes are there or reading fails.
  Expected<void> read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  File() = default;
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::uint64_t device_ = 0;
  std::uint64_t inode_ = 0;
  std::uint64_t links_ = 1;
};

using FilePtr = std::shared_ptr<const File>;

}  // namespace mo
