#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/common/wire.hpp"

namespace mo::tensorflow {

/// The hint of whatever is wrong inside a checkpoint.
inline constexpr std::string_view kDamaged =
    "the checkpoint is corrupt or was not copied completely: copy or save it again";

/// Where a block of a table lies in its file. A trailer of five bytes follows it: how it is compressed, and a checksum.
struct BlockHandle {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// One entry of a table: where its value lies.
struct TableRecord {
  std::shared_ptr<frontends::WireSource> source;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;

  /// The value as a message.
  frontends::WireField message() const {
    return {.number = 0, .type = frontends::WireType::bytes, .offset = offset, .size = size};
  }
};

/// The entries of one block and the restart points after them (positions of entries whose key is written in full).
struct Block {
  std::shared_ptr<frontends::WireSource> source;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<std::uint32_t> restarts;
};

/// Iterates over a block. Keys share a prefix with the one before and ascend strictly; whatever is malformed is an
/// error: MO-TF-0407 (lengths, restart points), MO-TF-0408 (order), MO-TF-0409 (a key that is too long).
class BlockReader {
 public:
  static constexpr std::uint64_t kLongestKey = 64 * 1024;

  explicit BlockReader(const Block& block) : block_(&block), position_(block.begin) {}

  /// Goes to the next entry; false after the last one.
  Expected<bool> next();
  /// Valid until `next`.
  std::string_view key() const { return key_; }
  std::uint64_t value_offset() const { return value_offset_; }
  std::uint64_t value_size() const { return value_size_; }

 private:
  Diagnostic malformed(std::string_view what) const;

  const Block* block_;
  std::uint64_t position_;
  std::size_t next_restart_ = 0;
  bool has_key_ = false;
  std::string key_;
  std::uint64_t value_offset_ = 0;
  std::uint64_t value_size_ = 0;
};

/// A sorted table of keys and values in one file, as LevelDB has them: blocks of entries, an index of the blocks, and a
/// footer. Only the index is kept; blocks are read when they are asked for. Immutable.
class Table {
 public:
  /// What becomes of large blocks that are not compressed. load: they are read and their checksum is verified, as all
  /// others are. in_place: values stay ranges of the file and the checksum is not looked at (they are tensors, and
  /// reading them costs).
  enum class LargeBlocks { load, in_place };

  /// Errors: MO-TF-0403 (no table), MO-TF-0404 (blocks outside of the file or in a wrong order), those of load,
  /// MO-TF-0409.
  static Expected<std::shared_ptr<const Table>> open(FilePtr file, LargeBlocks large_blocks);

  const File& file() const { return *file_; }
  /// Reads a block. Errors: MO-TF-0405 (checksum), MO-TF-0406 (compression), MO-TF-0407 (restart points).
  Expected<Block> load(std::size_t block) const;

  /// Calls `fn(block, const BlockReader&, const Block&)`, which returns Expected<void>, for all entries in order.
  template <class Fn>
  Expected<void> each(Fn&& fn) const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      MO_ASSIGN(const Block block, load(i));
      BlockReader reader(block);
      bool is_first = true;
      for (;;) {
        MO_ASSIGN(const bool more, reader.next());
        if (!more) break;
        MO_TRY(check_place(i, reader.key(), is_first));
        is_first = false;
        MO_TRY(fn(i, std::as_const(reader), block));
      }
    }
    return {};
  }

  /// The last block that `find` looked at, for callers that look up keys one after the other.
  struct Cache {
    std::size_t index = SIZE_MAX;
    Block block;
  };
  /// O(log blocks + entries of a block).
  Expected<std::optional<TableRecord>> find(std::string_view key, Cache* cache = nullptr) const;

 private:
  struct IndexEntry {
    std::string last_key;  ///< no key of the block is greater, each of the next block is
    BlockHandle handle;
  };

  Table() = default;
  Expected<void> read_index(const BlockHandle& handle);
  Expected<Block> load(const BlockHandle& handle, bool may_stay) const;
  /// Error MO-TF-0408 when the index says that `key` is in another block.
  Expected<void> check_place(std::size_t block, std::string_view key, bool is_first) const;

  FilePtr file_;
  LargeBlocks large_blocks_ = LargeBlocks::load;
  std::vector<IndexEntry> blocks_;
};

}  // namespace mo::tensorflow
