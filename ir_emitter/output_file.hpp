#pragma once

#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/buffer.hpp"

namespace mo::ir_emitter {

/// A file in the making: written under a temporary name beside its destination, moved there by `commit`, removed when dropped before.
class OutputFile {
 public:
  /// Errors: MO-EMIT-0001 (cannot be created), MO-EMIT-0002 (the destination exists and is no regular file).
  static Expected<std::unique_ptr<OutputFile>> create(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Bytes written so far.
  std::uint64_t size() const { return flushed_ + pending_.size(); }
  /// Appends; small pieces are gathered. Error MO-EMIT-0001.
  Expected<void> write(std::span<const std::byte> bytes);
  /// Appends a stretch of another file without keeping it in memory. Errors: MO-EMIT-0001, MO-IO-0003 (the source shrank).
  Expected<void> copy(const File& source, std::uint64_t offset, std::uint64_t bytes);
  /// Says how large the file will be at most, so that the file system can find room for all of it at once.
  void reserve(std::uint64_t bytes);
  /// Reads what was written before; the stretch lies inside (asserted).
  Expected<void> read_back(std::uint64_t offset, std::span<std::byte> out);

  /// Writes what is pending and closes; nothing may be written afterwards.
  Expected<void> close();
  /// Gives the closed file its name, replacing what is there.
  Expected<void> commit();

 private:
  OutputFile() = default;
  Expected<void> flush();
  Expected<void> write_through(std::span<const std::byte> bytes);
  Diagnostic failure(int error_number) const;

  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
  int slot_ = -1;  ///< in the list of what a signal removes
  bool exists_ = false;
  std::uint64_t flushed_ = 0;
  std::vector<std::byte> pending_;
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::unique_ptr<std::byte[], Free> piece_;  ///< for copies through memory; made when first needed
  bool reserved_ = false;
};

/// Error MO-EMIT-0003 when `path` exists and is one of `files` on disk (also under another name: link or hard link).
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::string path;  ///< for the message
};
Expected<void> check_not_an_input(const std::string& path, const std::vector<FileIdentity>& files);
/// Adds the identity of the file at `path`, when there is one.
void add_identity(std::vector<FileIdentity>& files, const std::string& path);

}  // namespace mo::ir_emitter
