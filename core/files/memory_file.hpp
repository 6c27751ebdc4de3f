#pragma once

#include <memory>
#include <span>
#include <string>

#include "core/diagnostics/expected.hpp"

namespace mo {

/// Bytes in memory that code which takes a path can read: an anonymous file (`memfd_create`),
/// which no folder shows and which is gone with its last owner. Immutable and shared.
class MemoryFile {
 public:
  /// A copy of `bytes`. Error MO-LIMIT-0006 when the system has no memory for it.
  static Expected<std::shared_ptr<const MemoryFile>> copy_of(std::span<const std::byte> bytes);
  /// Takes over a descriptor that `make_descriptor` gave and that was written through; also when it fails. Error
  /// MO-LIMIT-0006.
  static Expected<std::shared_ptr<const MemoryFile>> adopt(int descriptor);
  /// An empty anonymous file, open for reading and writing; negative, with `errno`, when there is none.
  static int make_descriptor();

  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::span<const std::byte> bytes() const { return bytes_; }
  /// By which this process can open the file as long as it lives.
  std::string path() const;

 private:
  explicit MemoryFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
  std::span<const std::byte> bytes_;  ///< mapped; nothing else holds them
};

}  // namespace mo
