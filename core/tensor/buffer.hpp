#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "core/files/file.hpp"

namespace mo {

class Buffer;
using BufferPtr = std::shared_ptr<const Buffer>;

/// A stretch of a file.
struct FileRange {
  FilePtr file;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// Immutable bytes: in memory, in a file, or not made yet (a recipe). Reference-counted.
class Buffer {
 public:
  virtual ~Buffer() = default;

  virtual std::uint64_t size() const = 0;
  /// The bytes, when they are in memory; null otherwise (also for an empty buffer).
  virtual const std::byte* bytes() const { return nullptr; }
  /// Whether `bytes` may be used (an empty heap buffer is in memory too).
  virtual bool in_memory() const { return false; }
  /// The stretch of a file that this is, when it is one.
  virtual const FileRange* file_range() const { return nullptr; }
  /// An equal buffer in memory: this one when it is there already, else read or computed now. O(size).
  virtual Expected<BufferPtr> load() const = 0;
  /// How many recipes have to be evaluated one after the other; 0 for memory and files.
  virtual std::uint32_t recipe_depth() const { return 0; }
};

/// Bytes on the heap. Writable only through the unique pointer that made it.
class HeapBuffer final : public Buffer, public std::enable_shared_from_this<HeapBuffer> {
 public:
  /// What the bytes are at first: zeros, or anything (for code that writes all of them at once).
  enum class Content { zeros, any };
  /// Errors: MO-CORE-0001 when there is no memory, MO-LIMIT-0001 when the budget of this thread has no room for it.
  static Expected<std::shared_ptr<HeapBuffer>> allocate(std::uint64_t size, Content content = Content::zeros);

  std::uint64_t size() const override { return size_; }
  const std::byte* bytes() const override { return bytes_; }
  bool in_memory() const override { return true; }
  Expected<BufferPtr> load() const override { return BufferPtr(shared_from_this()); }
  std::byte* mutable_bytes() { return bytes_; }
  ~HeapBuffer() override;

 private:
  HeapBuffer() = default;
  struct Free {
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte[], Free> block_;
  std::byte* bytes_ = nullptr;  ///< at the first cache line of a large block
  std::uint64_t size_ = 0;
};

/// A range of a file, read on demand.
class FileBuffer final : public Buffer {
 public:
  /// Error MO-IO-0004 when the stretch does not lie in the file.
  static Expected<BufferPtr> create(FilePtr file, std::uint64_t offset, std::uint64_t size);

  std::uint64_t size() const override { return range_.size; }
  const FileRange* file_range() const override { return &range_; }
  Expected<BufferPtr> load() const override;

 private:
  explicit FileBuffer(FileRange range) : range_(std::move(range)) {}
  FileRange range_;
};

}  // namespace mo
