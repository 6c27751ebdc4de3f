#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/files/file.hpp"
#include "core/files/memory_file.hpp"
#include "core/files/write_behind.hpp"

namespace mo {

/// "cannot write PATH" with the hint that fits to an error number of the system. MO-EMIT-0001.
Diagnostic cannot_write(const std::string& path, int error_number);

/// A file in the making, at a temporary place; OutputSet, which makes it, gives it its name. A long file is written by
/// a second thread while the caller makes what follows, so a later call may return the error of writing; `close`
/// returns it at the latest.
class OutputFile {
 public:
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Bytes written so far.
  std::uint64_t size() const { return posted_ + pending_; }
  /// Appends; small pieces are gathered. Error MO-EMIT-0001.
  Expected<void> write(std::span<const std::byte> bytes);
  /// The same for bytes that `owner` keeps as they are, so that they need not be written at once.
  Expected<void> write(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner);
  /// Appends `size` bytes (asserted) that are made later, by this thread or another one: an error of `make` is returned
  /// by a later call, by `close` at the latest. The budget of this thread counts `size`, and nothing that `make` takes
  /// besides.
  Expected<void> write_later(std::uint64_t size, MakeStretch make);
  /// Waits until what was handed on is in the file, and lets go of it. Error MO-EMIT-0001, and those of making.
  Expected<void> written();
  /// Appends a stretch of another file without keeping it in memory. Errors: MO-EMIT-0001, MO-IO-0003 (the source
  /// shrank).
  Expected<void> copy(const File& source, std::uint64_t offset, std::uint64_t bytes);
  /// Says how large the file will be at most, so that the file system can find room for all of it at once.
  void reserve(std::uint64_t bytes);
  /// Reads what was written before; the stretch lies inside (asserted).
  Expected<void> read_back(std::uint64_t offset, std::span<std::byte> out);
  /// Hashes all that will be written, for `hash`; before the first byte (asserted).
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
  void open(int descriptor);
  bool closed() const { return descriptor_ < 0; }
  /// Makes sure that there is a piece whose first byte lies within its page as the next byte of the file will. Error
  /// MO-CORE-0001.
  Expected<void> take_piece();
  std::byte* piece() { return pieces_.get() + piece_begin_; }
  /// Hands on what was gathered. Error MO-EMIT-0001.
  Expected<void> flush();
  /// Error MO-EMIT-0001, and those of making, if there was one by now.
  Expected<void> failure() const;
  /// `bytes` follow those that were posted. Error MO-EMIT-0001.
  Expected<void> post(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner);

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t posted_ = 0;  ///< bytes that were handed on
  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  /// A ring, made when first needed: small bytes are gathered in one, and stretches of other files read into it, while
  /// the others are written.
  std::unique_ptr<std::byte[], Free> pieces_;
  std::size_t next_piece_ = 0;
  std::size_t piece_begin_ = 0;  ///< of the one that was taken
  std::size_t pending_ = 0;      ///< bytes gathered in it
  bool has_piece_ = false;
  bool reserved_ = false;
  bool durable_ = false;
  bool in_memory_ = false;
  std::shared_ptr<const MemoryFile> memory_;
  std::optional<WriteBehind> behind_;  ///< while the file is open; last: it reads the pieces
};

}  // namespace mo
