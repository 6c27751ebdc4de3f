#include "frontends/tensorflow/checkpoint/table.hpp"

#include <snappy.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "frontends/tensorflow/checkpoint/crc32c.hpp"

namespace mo::tensorflow {

using frontends::WireSource;

namespace {

constexpr std::uint64_t kTrailer = 5;
constexpr std::uint64_t kFooter = 48;
constexpr std::uint64_t kMagic = 0xDB4775248B80FB57;
/// Blocks beyond this size hold one large value each.
constexpr std::uint64_t kLargeBlock = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostBlockBytes = (std::uint64_t{1} << 31) - 1;
/// No element of the snappy format makes more than 64 bytes, and each takes at least two.
constexpr std::uint64_t kMostExpansion = 32;
constexpr std::uint64_t kMostIndexBytes = std::uint64_t{1} << 28;

std::uint32_t fixed32_at(const std::byte* at) {
  std::uint32_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Two numbers of seven bits per byte; false when they are cut off.
bool read_handle(const std::byte*& at, const std::byte* end, BlockHandle& handle) {
  for (std::uint64_t* number : {&handle.offset, &handle.size}) {
    const int taken = frontends::detail::decode_varint(at, end, *number);
    if (taken <= 0) return false;
    at += taken;
  }
  return true;
}

Expected<BufferPtr> decompress(const HeapBuffer& compressed, std::uint64_t size) {
  const auto* const bytes = reinterpret_cast<const char*>(compressed.bytes());
  std::size_t length = 0;
  // The length is a claim: it is compared with what this many bytes can hold before any memory is taken for it.
  if (!snappy::GetUncompressedLength(bytes, size, &length) || length > kMostBlockBytes ||
      length / kMostExpansion > size)
    return error("MO-TF-0406", "a compressed block of {} bytes claims to hold {}", size, length).hint("{}", kDamaged);
  MO_ASSIGN(std::shared_ptr<HeapBuffer> plain, HeapBuffer::allocate(length, HeapBuffer::Content::any));
  if (!snappy::RawUncompress(bytes, size, reinterpret_cast<char*>(plain->mutable_bytes())))
    return error("MO-TF-0406", "a compressed block of {} bytes cannot be decompressed", size).hint("{}", kDamaged);
  return BufferPtr(std::move(plain));
}

/// Takes apart a block that is `size` bytes at `offset`.
Expected<Block> split_block(std::shared_ptr<WireSource> source, std::uint64_t offset, std::uint64_t size) {
  const auto malformed = [&](std::string_view what) {
    return error("MO-TF-0407", "a block of {} bytes {}", size, what).hint("{}", kDamaged);
  };
  if (size < 8) return malformed("is too small for its restart points");
  std::array<std::byte, 4> number{};
  MO_TRY(source->read(offset + size - 4, number));
  const std::uint64_t count = fixed32_at(number.data());
  if (count == 0 || count > (size - 4) / 4) return malformed("has an impossible number of restart points");
  Block block{std::move(source), offset, offset + size - 4 - 4 * count,
              std::vector<std::uint32_t>(static_cast<std::size_t>(count))};
  MO_TRY(block.source->read(block.end, std::as_writable_bytes(std::span(block.restarts))));
  const bool ascends =
      std::adjacent_find(block.restarts.begin(), block.restarts.end(), std::greater_equal<>()) == block.restarts.end();
  if (block.restarts.front() != 0 || !ascends ||
      (block.restarts.back() != 0 && block.restarts.back() >= block.end - block.begin))
    return malformed("has restart points that are not inside of it, or are not in order");
  return block;
}

}  // namespace

Diagnostic BlockReader::malformed(std::string_view what) const {
  return error("MO-TF-0407", "an entry at byte {} of a block {}", position_ - block_->begin, what).hint("{}", kDamaged);
}

Expected<bool> BlockReader::next() {
  const std::vector<std::uint32_t>& restarts = block_->restarts;
  if (position_ == block_->end) {
    // A block without entries still has the restart point 0.
    const std::size_t expected = block_->end == block_->begin ? 0 : restarts.size();
    if (next_restart_ != expected) return malformed("is the last one, but restart points follow");
    return false;
  }
  const std::uint64_t available = std::min<std::uint64_t>(block_->end - position_, 30);
  MO_ASSIGN(const std::byte* at, block_->source->fetch(position_, available));
  const std::byte* const stop = at + available;
  // bytes shared with the key before, further bytes of the key, bytes of the value
  std::array<std::uint64_t, 3> numbers{};
  std::uint64_t taken = 0;
  for (std::uint64_t& number : numbers) {
    const int size = frontends::detail::decode_varint(at + taken, stop, number);
    if (size <= 0 || number > UINT32_MAX) return malformed("has lengths that are cut off");
    taken += static_cast<std::uint64_t>(size);
  }
  const auto [shared, further, value] = numbers;
  const bool is_restart = next_restart_ < restarts.size() && restarts[next_restart_] == position_ - block_->begin;
  if (is_restart) ++next_restart_;
  if (!is_restart && next_restart_ < restarts.size() && restarts[next_restart_] < position_ - block_->begin)
    return malformed("begins after an invalid restart point");
  if (shared > key_.size() || (is_restart && shared != 0)) return malformed("shares more of its key than there is");
  const std::uint64_t left = block_->end - position_ - taken;
  if (further > left || value > left - further) return malformed("is longer than its block");
  if (shared + further > kLongestKey)
    return error("MO-TF-0409", "a checkpoint has a key of {} bytes; {} are the most", shared + further, kLongestKey)
        .hint("{}", kDamaged);
  MO_ASSIGN(const std::byte* const rest, block_->source->fetch(position_ + taken, further));
  const std::string_view text(reinterpret_cast<const char*>(rest), static_cast<std::size_t>(further));
  if (has_key_ && std::string_view(key_).substr(static_cast<std::size_t>(shared)) >= text)
    return error("MO-TF-0408", "the keys of a table are not in ascending order after \"{}\"", key_.substr(0, 200))
        .hint("{}", kDamaged);
  key_.resize(static_cast<std::size_t>(shared));
  key_.append(text);
  has_key_ = true;
  value_offset_ = position_ + taken + further;
  value_size_ = value;
  position_ = value_offset_ + value;
  return true;
}

Expected<std::shared_ptr<const Table>> Table::open(FilePtr file, LargeBlocks large_blocks) {
  const auto no_table = [&](std::string_view why) {
    return error("MO-TF-0403", "\"{}\" is not a table of a checkpoint: {}", file->path(), why)
        .hint("give the prefix of a checkpoint, \"model.ckpt-100\"; if this is one, it was not copied completely");
  };
  if (file->size() < kFooter) return no_table("it is too short");
  std::array<std::byte, kFooter> footer{};
  MO_TRY(file->read(file->size() - kFooter, footer));
  std::uint64_t magic = 0;
  std::memcpy(&magic, footer.data() + kFooter - sizeof magic, sizeof magic);
  if (magic != kMagic) return no_table("its last bytes are not those of one");
  const std::byte* at = footer.data();
  const std::byte* const end = at + kFooter - sizeof magic;
  BlockHandle meta_index;
  BlockHandle index;
  if (!read_handle(at, end, meta_index) || !read_handle(at, end, index))
    return no_table("the end of the file is corrupt");
  std::shared_ptr<Table> table(new Table);
  table->file_ = std::move(file);
  table->large_blocks_ = large_blocks;
  if (auto done = table->read_index(index); !done) return std::move(done).error().in_file(table->file_->path());
  return std::shared_ptr<const Table>(std::move(table));
}

Expected<void> Table::read_index(const BlockHandle& handle) {
  // The blocks of a table follow each other; so none is read twice, whatever the index says.
  std::uint64_t end = 0;
  const std::uint64_t limit = file_->size() - kFooter;
  const auto fits = [&](const BlockHandle& h) {
    return h.offset >= end && h.offset <= limit && h.size <= limit - h.offset && limit - h.offset - h.size >= kTrailer;
  };
  const auto misplaced = [&](const BlockHandle& h) {
    return error("MO-TF-0404", "a block of {} bytes at offset {} does not lie in the file, or overlaps another", h.size,
                 h.offset)
        .hint("{}", kDamaged);
  };
  if (!fits(handle)) return misplaced(handle);
  MO_ASSIGN(const Block index, load(handle, false));
  BlockReader reader(index);
  std::uint64_t key_bytes = 0;
  for (;;) {
    MO_ASSIGN(const bool more, reader.next());
    if (!more) return {};
    BlockHandle block;
    MO_ASSIGN(const std::byte* at,
              index.source->fetch(reader.value_offset(), std::min<std::uint64_t>(reader.value_size(), 20)));
    if (!read_handle(at, at + std::min<std::uint64_t>(reader.value_size(), 20), block) || !fits(block))
      return misplaced(block);
    end = block.offset + block.size + kTrailer;
    key_bytes += reader.key().size();
    if (key_bytes > kMostIndexBytes)
      return error("MO-TF-0409", "the index of a table has more than {} bytes", kMostIndexBytes).hint("{}", kDamaged);
    blocks_.push_back({std::string(reader.key()), block});
  }
}

Expected<Block> Table::load(std::size_t block) const {
  MO_ASSERT(block < blocks_.size(), "a block that a table does not have");
  auto loaded = load(blocks_[block].handle, true);
  if (!loaded) return std::move(loaded).error().in_file(file_->path());
  return loaded;
}

Expected<Block> Table::load(const BlockHandle& handle, bool may_stay) const {
  std::array<std::byte, kTrailer> trailer{};
  MO_TRY(file_->read(handle.offset + handle.size, trailer));
  const auto compression = std::to_integer<unsigned>(trailer[0]);
  if (compression > 1)
    return error("MO-TF-0406", "a block at offset {} has the unknown compression type {}", handle.offset, compression)
        .hint("{}", kDamaged);
  if (compression == 0 && may_stay && large_blocks_ == LargeBlocks::in_place && handle.size > kLargeBlock)
    return split_block(std::make_shared<WireSource>(file_), handle.offset, handle.size);
  if (handle.size > kMostBlockBytes)
    return error("MO-TF-0409", "a block of a table has {} bytes; {} are the most", handle.size, kMostBlockBytes)
        .hint("{}", kDamaged);
  MO_ASSIGN(std::shared_ptr<HeapBuffer> stored, HeapBuffer::allocate(handle.size, HeapBuffer::Content::any));
  const std::span<std::byte> bytes(stored->mutable_bytes(), static_cast<std::size_t>(handle.size));
  MO_TRY(file_->read(handle.offset, bytes));
  const std::uint32_t crc = crc32c(std::span(trailer).first(1), crc32c(bytes));
  if (crc != unmask_crc(fixed32_at(trailer.data() + 1)))
    return error("MO-TF-0405", "the block at offset {} has another checksum than is stored with it", handle.offset)
        .hint("{}", kDamaged);
  BufferPtr plain = stored;
  if (compression == 1) { MO_ASSIGN(plain, decompress(*stored, handle.size)); }
  const std::uint64_t size = plain->size();
  return split_block(std::make_shared<WireSource>(std::move(plain), file_->path()), 0, size);
}

Expected<void> Table::check_place(std::size_t block, std::string_view key, bool is_first) const {
  const bool is_behind = block == 0 || !is_first || key > blocks_[block - 1].last_key;
  if (is_behind && key <= blocks_[block].last_key) return {};
  Error failed =
      error("MO-TF-0408", "the key \"{}\" is not in the block where the index of the table has it", key.substr(0, 200))
          .hint("{}", kDamaged);
  return std::move(failed).in_file(file_->path());
}

Expected<std::optional<TableRecord>> Table::find(std::string_view key, Cache* cache) const {
  const auto at = std::lower_bound(blocks_.begin(), blocks_.end(), key,
                                   [](const IndexEntry& b, std::string_view k) { return b.last_key < k; });
  if (at == blocks_.end()) return std::optional<TableRecord>();
  const auto index = static_cast<std::size_t>(at - blocks_.begin());
  Cache local;
  Cache& used = cache ? *cache : local;
  if (used.index != index) {
    MO_ASSIGN(used.block, load(index));
    used.index = index;
  }
  BlockReader reader(used.block);
  for (;;) {
    auto more = reader.next();
    if (!more) return std::move(more).error().in_file(file_->path());
    if (!*more || reader.key() > key) return std::optional<TableRecord>();
    if (reader.key() == key)
      return std::optional(TableRecord{used.block.source, reader.value_offset(), reader.value_size()});
  }
}

}  // namespace mo::tensorflow
