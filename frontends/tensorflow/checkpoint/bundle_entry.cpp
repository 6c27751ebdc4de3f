#include "frontends/tensorflow/checkpoint/bundle_entry.hpp"

#include <cstring>

#include "core/tensor/convert.hpp"
#include "frontends/tensorflow/checkpoint/crc32c.hpp"
#include "frontends/tensorflow/checkpoint/stored_tensor.hpp"
#include "frontends/tensorflow/checkpoint/table.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/tensor_reader.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;
using frontends::WireType;

namespace {

constexpr std::int64_t kVersion = 1;  ///< of the format, which this reads
constexpr std::int64_t kMostShards = 99'999;
constexpr std::uint64_t kMostStrings = std::uint64_t{1} << 24;

/// VersionDef: who may read this.
Expected<void> check_version(WireSource& source, const WireField& message) {
  std::int64_t least = 0;
  bool is_bad = false;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == version_field::kLeastConsumer) {
      MO_ASSIGN(least, integer_of(field));
    } else if (field.number == version_field::kBadConsumers) {
      return each_varint(source, field, [&](std::uint64_t version) -> Expected<void> {
        is_bad |= version == static_cast<std::uint64_t>(kVersion);
        return {};
      });
    }
    return {};
  }));
  if (least > kVersion || is_bad)
    return error("MO-TF-0410", "the checkpoint is in a newer format (for readers of version {}; mo supports {})", least,
                 kVersion)
        .hint("save it with an older TensorFlow");
  return {};
}

}  // namespace

Expected<BundleHeader> read_bundle_header(WireSource& source, const WireField& message) {
  BundleHeader header;
  std::int64_t byte_order = 0;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == bundle_header_field::kShardCount) {
      MO_ASSIGN(header.shard_count, integer_of(field));
    } else if (field.number == bundle_header_field::kByteOrder) {
      MO_ASSIGN(byte_order, integer_of(field));
    } else if (field.number == bundle_header_field::kVersion) {
      return check_version(source, field);
    }
    return {};
  }));
  if (byte_order != 0)
    return error("MO-TF-0410", "the checkpoint was saved on a big-endian machine")
        .hint("load and save it on a little-endian machine");
  if (header.shard_count < 1 || header.shard_count > kMostShards)
    return error("MO-TF-0410", "the checkpoint declares {} shards", header.shard_count).hint("{}", kDamaged);
  return header;
}

Expected<BundleEntry> read_bundle_entry(WireSource& source, const WireField& message) {
  BundleEntry entry;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case bundle_entry_field::kDataType: {
        MO_ASSIGN(entry.data_type, integer_of(field));
        return {};
      }
      case bundle_entry_field::kShape: {
        MO_ASSIGN(entry.shape, read_shape(source, field));
        return {};
      }
      case bundle_entry_field::kShard: {
        MO_ASSIGN(entry.shard, integer_of(field));
        return {};
      }
      case bundle_entry_field::kOffset: {
        MO_ASSIGN(entry.offset, integer_of(field));
        return {};
      }
      case bundle_entry_field::kSize: {
        MO_ASSIGN(entry.size, integer_of(field));
        return {};
      }
      case bundle_entry_field::kCrc:
        if (field.type != WireType::fixed32) return frontends::wrong_wire_type(field, "32-bit number");
        entry.crc = static_cast<std::uint32_t>(field.value);
        return {};
      case bundle_entry_field::kSlices: {
        if (entry.slices.size() == kMostSlices)
          return error("MO-TF-0409", "a variable is stored in more than {} slices", kMostSlices)
              .hint("save it in fewer slices");
        MO_ASSIGN(std::vector<Extent> extents, read_extents(source, field));
        entry.slices.push_back(std::move(extents));
        return {};
      }
      default: return {};
    }
  }));
  return entry;
}

Expected<Tensor> read_stored_text(const File& file, const BundleEntry& entry, const Shape& shape) {
  const auto count = static_cast<std::uint64_t>(element_count(shape).value_or(0));
  const auto size = static_cast<std::uint64_t>(entry.size);
  if (count == 0) return from_strings(shape, {});
  const auto malformed = [&](std::string_view what) {
    return error("MO-TF-0416", "a tensor of {} strings in {} bytes {}", count, size, what).hint("{}", kDamaged);
  };
  const auto wrong_checksum = [&] {
    return error("MO-TF-0415", "the strings at offset {} of \"{}\" have another checksum than is stored for them",
                 entry.offset, file.path())
        .hint("{}", kDamaged);
  };
  if (count > kMostStrings || size > kMostTextBytes)
    return error("MO-TF-0409", "a tensor has {} strings in {} bytes; {} in {} are the most", count, size, kMostStrings,
                 kMostTextBytes)
        .hint("split the tensor");
  if (size < 4 || count > size - 4) return malformed("is impossible");
  MO_ASSIGN(const std::shared_ptr<HeapBuffer> heap, HeapBuffer::allocate(size, HeapBuffer::Content::any));
  const std::span<std::byte> bytes(heap->mutable_bytes(), static_cast<std::size_t>(size));
  MO_TRY(file.read(static_cast<std::uint64_t>(entry.offset), bytes));
  const std::byte* at = bytes.data();
  const std::byte* const end = at + bytes.size();
  std::vector<std::uint64_t> lengths(static_cast<std::size_t>(count));
  std::uint32_t crc = 0;
  for (std::uint64_t& length : lengths) {
    const int taken = frontends::detail::decode_varint(at, end, length);
    if (taken <= 0 || length > size) return malformed("has lengths that do not fit");
    at += taken;
    // The checksum is that of the numbers in 32 bits, however they are written. They fit: all lengths are below the
    // limit.
    const auto number = static_cast<std::uint32_t>(length);
    crc = crc32c(std::as_bytes(std::span(&number, 1)), crc);
  }
  if (end - at < 4) return malformed("ends inside of its lengths");
  std::uint32_t stored = 0;
  std::memcpy(&stored, at, sizeof stored);
  if (unmask_crc(stored) != crc) return wrong_checksum();
  crc = crc32c({at, bytes.data() + bytes.size()}, crc);
  at += 4;
  std::vector<std::string> strings;
  strings.reserve(lengths.size());
  for (const std::uint64_t length : lengths) {
    if (length > static_cast<std::uint64_t>(end - at)) return malformed("has longer strings than that");
    strings.emplace_back(reinterpret_cast<const char*>(at), static_cast<std::size_t>(length));
    at += length;
  }
  if (at != end) return malformed("has bytes after the last one");
  if (unmask_crc(entry.crc) != crc) return wrong_checksum();
  return from_strings(shape, strings);
}

}  // namespace mo::tensorflow
