#include "frontends/tensorflow/checkpoint/bundle.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"
#include "frontends/common/hash_map.hpp"
#include "frontends/tensorflow/checkpoint/bundle_entry.hpp"
#include "frontends/tensorflow/checkpoint/crc32c.hpp"
#include "frontends/tensorflow/checkpoint/stored_tensor.hpp"
#include "frontends/tensorflow/checkpoint/table.hpp"

namespace mo::tensorflow {

using frontends::WireSource;

namespace {

constexpr std::uint64_t kMostEntries = 10'000'000;
constexpr std::uint64_t kMostKeptBytes = std::uint64_t{1} << 26;  ///< that stay in memory
/// Keys are stored without what they share with the one before: together they may take this much, and some times the
/// size of the index.
constexpr std::uint64_t kMostKeyBytes = std::uint64_t{1} << 26;
constexpr std::uint64_t kMostKeyGrowth = 8;

class Bundle final : public Checkpoint {
 public:
  explicit Bundle(const CheckpointPlace& place) : folder_(place.folder), name_(place.name) {}

  Expected<void> read_index();

  bool contains(std::string_view key) const override { return is_tensor_key(key) && find(key); }
  std::vector<std::string> keys() const override;
  Expected<TensorType> type_of(std::string_view key) const override;
  Expected<Tensor> read(std::string_view key) const override;
  Expected<Tensor> read_slice(std::string_view key, const std::vector<Extent>& slice) const override;

 private:
  /// Where the value of a key is: 20 bytes for each instead of a parsed entry.
  struct Location {
    std::uint64_t key_end;  ///< in keys_; the key begins where the one before ends
    std::uint32_t block;
    std::uint32_t offset;
    std::uint32_t size;
  };

  /// The header and the parts of sliced variables have keys of their own, which begin with a zero byte or are empty.
  static bool is_tensor_key(std::string_view key) { return !key.empty() && key.front() != '\0'; }

  std::string_view key_at(std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : locations_[i - 1].key_end;
    return std::string_view(keys_).substr(begin, locations_[i].key_end - begin);
  }
  std::optional<std::size_t> find(std::string_view key) const;
  Expected<BundleEntry> entry_at(std::size_t i) const;
  /// The entry of a tensor. Error MO-TF-0418.
  Expected<BundleEntry> entry_of(std::string_view key) const;
  Expected<FilePtr> shard(std::int64_t id) const;
  /// What the entry itself says to be stored; `stored` is its type.
  Expected<Tensor> read_data(const BundleEntry& entry, const StoredType& stored) const;
  Expected<std::vector<StoredPart>> parts_of(std::string_view key, const BundleEntry& entry,
                                             const StoredType& stored) const;
  Expected<StoredPart> part_of(std::string_view key, const BundleEntry& whole, const std::vector<Extent>& raw,
                               std::vector<Extent> extents) const;
  Expected<Tensor> read_extents_of(std::string_view key, const std::optional<std::vector<Extent>>& slice) const;

  std::shared_ptr<const CheckpointFolder> folder_;
  std::string name_;
  std::shared_ptr<const Table> table_;
  BundleHeader header_;
  std::string keys_;
  std::vector<Location> locations_;
  /// Blocks of the index that were read; given up when they are too many. Models ask for their variables in any order.
  mutable frontends::HashMap<std::uint32_t, std::shared_ptr<WireSource>> blocks_;
  mutable std::uint64_t block_bytes_ = 0;
  mutable frontends::HashMap<std::int64_t, FilePtr> shards_;
};

Expected<void> Bundle::read_index() {
  MO_ASSIGN(FilePtr file, folder_->open_file(name_ + ".index"));
  MO_ASSIGN(table_, Table::open(std::move(file), Table::LargeBlocks::load));
  bool has_header = false;
  const std::uint64_t most_key_bytes = kMostKeyBytes + kMostKeyGrowth * table_->file().size();
  MO_TRY(table_->each([&](std::size_t index, const BlockReader& entry, const Block& block) -> Expected<void> {
    const std::string_view key = entry.key();
    if (!has_header) {
      has_header = true;
      if (!key.empty()) return error("MO-TF-0410", "the first entry of the index is not a header").hint("{}", kDamaged);
      MO_ASSIGN(header_,
                read_bundle_header(*block.source,
                                   TableRecord{block.source, entry.value_offset(), entry.value_size()}.message()));
      return {};
    }
    if (locations_.size() == kMostEntries || key.size() > most_key_bytes - keys_.size())
      return error("MO-TF-0409", "the index has more than {} entries, or more than {} bytes of names", kMostEntries,
                   most_key_bytes)
          .hint("{}", kDamaged);
    keys_ += key;
    // Blocks of an index are smaller than 2 GB.
    locations_.push_back({keys_.size(), static_cast<std::uint32_t>(index),
                          static_cast<std::uint32_t>(entry.value_offset()),
                          static_cast<std::uint32_t>(entry.value_size())});
    return {};
  }));
  if (!has_header) return error("MO-TF-0410", "the index has no header").hint("{}", kDamaged);
  return {};
}

std::vector<std::string> Bundle::keys() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < locations_.size(); ++i)
    if (is_tensor_key(key_at(i))) all.emplace_back(key_at(i));
  return all;
}

std::optional<std::size_t> Bundle::find(std::string_view key) const {
  std::size_t begin = 0;
  std::size_t end = locations_.size();
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (key_at(middle) < key)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin < locations_.size() && key_at(begin) == key ? std::optional(begin) : std::nullopt;
}

Expected<BundleEntry> Bundle::entry_at(std::size_t i) const {
  const Location& location = locations_[i];
  auto known = blocks_.find(location.block);
  if (known == blocks_.end()) {
    MO_ASSIGN(const Block block, table_->load(location.block));
    if (block_bytes_ > kMostKeptBytes) {
      blocks_.clear();
      block_bytes_ = 0;
    }
    block_bytes_ += block.source->size();
    known = blocks_.emplace(location.block, block.source).first;
  }
  const std::shared_ptr<WireSource>& source = known->second;
  if (location.offset > source->size() || location.size > source->size() - location.offset)
    return error("MO-TF-0407", "the index changed while it was read").hint("{}", kDamaged);
  return read_bundle_entry(*source, TableRecord{source, location.offset, location.size}.message());
}

Expected<BundleEntry> Bundle::entry_of(std::string_view key) const {
  const auto index = is_tensor_key(key) ? find(key) : std::nullopt;
  if (!index) return missing_key(key);
  return entry_at(*index);
}

Expected<FilePtr> Bundle::shard(std::int64_t id) const {
  if (id < 0 || id >= header_.shard_count)
    return error("MO-TF-0412", "a tensor is in shard {} of {}", id, header_.shard_count).hint("{}", kDamaged);
  FilePtr& file = shards_[id];
  if (!file) {
    auto opened = folder_->open_file(shard_name(name_ + ".data-", id, header_.shard_count));
    if (!opened) return std::move(opened).error();
    // Another name of a file can be anywhere, as a link can.
    if ((*opened)->link_count() > 1 && folder_->links() == Links::refused)
      return error("MO-TF-0401", "\"{}\" of a checkpoint is refused: the file has {} names (hard links)",
                   (*opened)->path(), (*opened)->link_count())
          .hint(
              "if you trust the model, follow links with --allow-links; or copy the files of the checkpoint into a "
              "folder of their own");
    file = *std::move(opened);
  }
  return file;
}

Expected<Tensor> Bundle::read_data(const BundleEntry& entry, const StoredType& stored) const {
  const bool is_text = stored.element_type == ElementType::string;
  const std::uint64_t bytes =
      is_text ? static_cast<std::uint64_t>(std::max<std::int64_t>(entry.size, 0)) : stored.byte_size();
  if (entry.size < 0 || static_cast<std::uint64_t>(entry.size) != bytes)
    return error("MO-TF-0411", "a tensor {} takes {} bytes, the checkpoint has {} of it", stored.type().to_string(),
                 bytes, entry.size)
        .hint("{}", kDamaged);
  MO_ASSIGN(const FilePtr file, shard(entry.shard));
  const auto offset = static_cast<std::uint64_t>(entry.offset);
  if (entry.offset < 0 || offset > file->size() || bytes > file->size() - offset)
    return error("MO-TF-0414", "{} bytes at offset {} lie outside of \"{}\", which has {}", bytes, entry.offset,
                 file->path(), file->size())
        .hint("the shard is truncated, or belongs to another checkpoint: copy all files again");
  if (is_text) return read_stored_text(*file, entry, stored.shape);
  if (bytes > kSmallTensor && stored.element_type != ElementType::boolean) {
    MO_ASSIGN(BufferPtr range, FileBuffer::create(file, offset, bytes));
    return Tensor::from_buffer(stored.element_type, stored.shape, std::move(range));
  }
  MO_ASSIGN(Tensor tensor, Tensor::allocate(stored.element_type, stored.shape));
  const std::span<std::byte> content = tensor.mutable_bytes();
  MO_TRY(file->read(offset, content));
  if (crc32c(content) != unmask_crc(entry.crc))
    return error("MO-TF-0415", "the tensor at offset {} of \"{}\" has another checksum than is stored for it",
                 entry.offset, file->path())
        .hint("{}", kDamaged);
  if (stored.element_type == ElementType::boolean) {
    // Readers of booleans expect 0 or 1.
    std::transform(content.begin(), content.end(), content.begin(),
                   [](std::byte b) { return b == std::byte{0} ? b : std::byte{1}; });
  } else if (bytes > kCopiedTensor) {
    MO_ASSIGN(BufferPtr range, FileBuffer::create(file, offset, bytes));
    return Tensor::from_buffer(stored.element_type, stored.shape, std::move(range));
  }
  return tensor;
}

/// A slice is an entry of its own, under a key made of the variable's key and the slice.
Expected<StoredPart> Bundle::part_of(std::string_view key, const BundleEntry& whole, const std::vector<Extent>& raw,
                                     std::vector<Extent> extents) const {
  const auto index = find(encode_slice_key(key, raw));
  if (!index)
    return error("MO-TF-0417", "slice {} of '{}' is missing", to_string(raw), key.substr(0, 400)).hint("{}", kDamaged);
  MO_ASSIGN(const BundleEntry entry, entry_at(*index));
  MO_ASSIGN(const StoredType stored, stored_type(entry.data_type, entry.shape));
  Shape shape;
  for (const Extent& extent : extents) shape.push_back(extent.length);
  if (entry.data_type != whole.data_type || stored.shape != shape || !entry.slices.empty())
    return error("MO-TF-0417", "slice {} of '{}' is stored as {}", to_string(raw), key.substr(0, 400),
                 stored.type().to_string())
        .hint("{}", kDamaged);
  return StoredPart{std::move(extents), [this, entry, stored] { return read_data(entry, stored); }};
}

Expected<std::vector<StoredPart>> Bundle::parts_of(std::string_view key, const BundleEntry& entry,
                                                   const StoredType& stored) const {
  std::vector<StoredPart> parts;
  if (entry.slices.empty()) {
    parts.push_back({*stored.resolve(std::vector<Extent>(entry.shape.size())),
                     [this, entry, stored] { return read_data(entry, stored); }});
    return parts;
  }
  for (const std::vector<Extent>& raw : entry.slices) {
    auto extents = stored.resolve(raw);
    if (!extents)
      return error("MO-TF-0417", "slice {} of '{}' does not lie in the variable {}", to_string(raw), key.substr(0, 400),
                   stored.type().to_string())
          .hint("{}", kDamaged);
    const bool is_whole = std::all_of(raw.begin(), raw.end(), [](const Extent& e) { return e == Extent{}; });
    if (is_whole) {
      // TensorFlow stores a slice that is everything in the entry of the variable.
      parts.push_back({*std::move(extents), [this, entry, stored] { return read_data(entry, stored); }});
    } else {
      MO_ASSIGN(StoredPart part, part_of(key, entry, raw, *std::move(extents)));
      parts.push_back(std::move(part));
    }
  }
  MO_TRY(check_disjoint(parts));
  return parts;
}

Expected<Tensor> Bundle::read_extents_of(std::string_view key, const std::optional<std::vector<Extent>>& slice) const {
  MO_ASSIGN(const BundleEntry entry, entry_of(key));
  MO_ASSIGN(const StoredType stored, stored_type(entry.data_type, entry.shape));
  if (!slice && entry.slices.empty()) return read_data(entry, stored);
  const auto wanted = stored.resolve(slice.value_or(std::vector<Extent>(entry.shape.size())));
  if (!wanted) return wrong_slice(key, stored.type(), *slice);
  MO_ASSIGN(const std::vector<StoredPart> parts, parts_of(key, entry, stored));
  return slice_of_parts(stored, *wanted, parts);
}

Expected<TensorType> Bundle::type_of(std::string_view key) const {
  MO_ASSIGN(const BundleEntry entry, entry_of(key));
  MO_ASSIGN(const StoredType stored, stored_type(entry.data_type, entry.shape));
  return stored.type();
}

Expected<Tensor> Bundle::read(std::string_view key) const {
  auto tensor = read_extents_of(key, std::nullopt);
  if (!tensor) return std::move(tensor).error().in_file(table_->file().path());
  return tensor;
}

Expected<Tensor> Bundle::read_slice(std::string_view key, const std::vector<Extent>& slice) const {
  auto tensor = read_extents_of(key, slice);
  if (!tensor) return std::move(tensor).error().in_file(table_->file().path());
  return tensor;
}

}  // namespace

Expected<std::unique_ptr<Checkpoint>> open_bundle(const CheckpointPlace& place) {
  auto bundle = std::make_unique<Bundle>(place);
  if (auto done = bundle->read_index(); !done)
    return std::move(done).error().in_file(place.folder->path() + "/" + place.name + ".index");
  return std::unique_ptr<Checkpoint>(std::move(bundle));
}

}  // namespace mo::tensorflow
