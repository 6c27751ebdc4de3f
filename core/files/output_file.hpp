#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/files/concurrent_hash.hpp"
#include "core/files/file.hpp"
#include "core/files/memory_file.hpp"

namespace mo {

/// "cannot write PATH" with the hint that fits to an error number of the system. MO-EMIT-0001.
Diagnostic cannot_write(const std::string& path, int error_number);

/// A file in the making, at a temporary place; OutputSet, which makes it, gives it its name.
class OutputFile {
 public:
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Bytes written so far.
  std::uint64_t size() const { return flushed_ + pending_.size(); }
  /// Appends; small pieces are gathered. Error MO-EMIT-0001.
  Expected<void> write(std::span<const std::byte> bytes);
  /// Appends a stretch of another file without keeping it in memory. Errors: MO-EMIT-0001, MO-IO-0003 (the source
  /// shrank).
  Expected<void> copy(const File& source, std::uint64_t offset, std::uint64_t bytes);
  /// Says how large the file will be at most, so that the file system can find room for all of it at once.
  void reserve(std::uint64_t bytes);
  /// Reads what was written before; the stretch lies inside (asserted).
  Expected<void> read_back(std::uint64_t offset, std::span<std::byte> out);
  /// Hashes all that will be written, for `hash`; before the first byte (asserted). A second thread does it.
  void keep_hash();
  /// Hash of all bytes written so far; only after keep_hash (asserted). Error MO-EMIT-0001.
  Expected<std::uint64_t> hash();

  /// Writes what is pending and closes; nothing may be written afterwards.
  Expected<void> close();
  /// What a file of a set in memory holds, after `close`; null for one that has a place on disk.
  const std::shared_ptr<const MemoryFile>& memory() const { return memory_; }

 private:
  friend class OutputSet;
  /// Creates the file at `temporary`; `path` is where it will be, for messages. `durable`: closing waits until the
  /// bytes have reached the disk. Error MO-EMIT-0001.
  static Expected<std::unique_ptr<OutputFile>> create(const std::string& temporary, const std::string& path,
                                                      bool durable);

  /// Creates the file in memory. Error MO-EMIT-0001.
  static Expected<std::unique_ptr<OutputFile>> create_in_memory(const std::string& name);

  OutputFile() = default;
  bool closed() const { return descriptor_ < 0; }
  Expected<void> flush();
  Expected<void> write_through(std::span<const std::byte> bytes);
  /// Without the hash.
  Expected<void> write_all(std::span<const std::byte> bytes);

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t flushed_ = 0;
  std::vector<std::byte> pending_;
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::unique_ptr<std::byte[], Free> pieces_;  ///< two, for copies; made when first needed
  /// of the flushed bytes, when it is kept; declared after the pieces, which its thread may still read when all ends
  std::optional<ConcurrentHash> hash_;
  bool reserved_ = false;
  bool durable_ = false;
  bool in_memory_ = false;
  std::shared_ptr<const MemoryFile> memory_;
};

}  // namespace mo
