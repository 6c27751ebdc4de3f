#include "ir_emitter/weights.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "core/support/budget.hpp"

namespace mo::ir_emitter {
namespace {

constexpr std::uint64_t kComparedPiece = std::uint64_t{1} << 20;
constexpr std::uint64_t kSample = 128;
constexpr std::uint64_t kSamples = 4;
/// Up to here the samples would be the whole constant.
constexpr std::uint64_t kSampledWhole = kSample * kSamples;

std::uint64_t alignment_of(ElementType type, std::uint64_t size) {
  if (size >= kAlignment) return kAlignment;
  if (type == ElementType::string) return sizeof(std::int32_t);  // begins with 32-bit counts
  return std::max<std::uint64_t>(1, bit_width(type) / 8);
}

Expected<Tensor> with_swapped_nibbles(const Tensor& tensor) {
  MO_ASSIGN(const Tensor loaded, tensor.load());
  MO_ASSIGN(Tensor swapped, Tensor::allocate(tensor.element_type(), tensor.shape()));
  const std::span<const std::byte> from = loaded.bytes();
  const std::span<std::byte> to = swapped.mutable_bytes();
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = (from[i] << 4) | (from[i] >> 4);
  return swapped;
}

}  // namespace

std::size_t WeightsWriter::KeyHash::operator()(const Key& key) const { return XXH3_64bits(&key, sizeof(key)); }

Expected<void> WeightsWriter::keep(const File& file) {
  keeps_ = true;
  return out_.copy(file, 0, file.size());
}

void WeightsWriter::announce(const Tensor& tensor) {
  announced_bytes_ += tensor.byte_size() + kAlignment;
  ++groups_[group_key(tensor)].announced;
}

WeightsWriter::Key WeightsWriter::identity(const Tensor& tensor) {
  if (const FileRange* range = tensor.buffer()->file_range())
    return {range->file->device(), range->file->inode(), range->offset + tensor.offset()};
  // Tensors that share the buffer share its bytes, whether they exist already or are still a recipe. No device has the
  // number -1.
  return {~std::uint64_t{0}, reinterpret_cast<std::uintptr_t>(tensor.buffer().get()), tensor.offset()};
}

Expected<ConstantReader> WeightsWriter::open(const Tensor& tensor) {
  const bool swap = has_nibbles(tensor.element_type()) && !low_nibble_first_;
  recipes_ += tensor.buffer()->recipe_depth() > 0 ? 1 : 0;
  if (!swap) return ConstantReader::open(tensor);
  MO_ASSIGN(Tensor swapped, with_swapped_nibbles(tensor));
  return ConstantReader::open(std::move(swapped));
}

Expected<std::uint64_t> WeightsWriter::sample(const ConstantReader& source) {
  std::byte bytes[kSampledWhole];
  if (source.size() <= kSampledWhole) {
    MO_TRY(source.read(0, {bytes, static_cast<std::size_t>(source.size())}));
    return XXH3_64bits(bytes, static_cast<std::size_t>(source.size()));
  }
  const std::uint64_t step = (source.size() - kSample) / (kSamples - 1);
  for (std::uint64_t i = 0; i < kSamples; ++i)
    MO_TRY(source.read(i * step, {bytes + i * kSample, static_cast<std::size_t>(kSample)}));
  return XXH3_64bits(bytes, sizeof(bytes));
}

template <class Read>
Expected<std::uint64_t> WeightsWriter::hash(std::uint64_t size, Read&& read) {
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  const std::unique_ptr<XXH3_state_t, Free> state(XXH3_createState());
  if (!state || XXH3_64bits_reset(state.get()) != XXH_OK)
    return error("MO-CORE-0001", "no memory for the state of a hash");
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min(size, kComparedPiece)));
  for (std::uint64_t at = 0; at < size; at += piece.size()) {
    const std::span<std::byte> part(piece.data(),
                                    static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), size - at)));
    MO_TRY(read(at, part));
    XXH3_64bits_update(state.get(), part.data(), part.size());
  }
  return XXH3_64bits_digest(state.get());
}

Expected<bool> WeightsWriter::equals(const ConstantReader& source, std::uint64_t offset) {
  const auto length = static_cast<std::size_t>(std::min(source.size(), kComparedPiece));
  std::vector<std::byte> mine(length);
  std::vector<std::byte> theirs(length);
  for (std::uint64_t at = 0; at < source.size(); at += length) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(length, source.size() - at));
    MO_TRY(source.read(at, {mine.data(), part}));
    MO_TRY(out_.read_back(offset + at, {theirs.data(), part}));
    if (std::memcmp(mine.data(), theirs.data(), part) != 0) return false;
  }
  return true;
}

Expected<std::optional<std::uint64_t>> WeightsWriter::find_equal(const ConstantReader& source, Bucket& bucket,
                                                                 bool seen_whole, std::uint64_t samples,
                                                                 std::uint64_t& own_hash) {
  for (const std::uint64_t offset : bucket.not_hashed) {
    MO_ASSIGN(const std::uint64_t theirs, hash(source.size(), [&](std::uint64_t at, std::span<std::byte> out) {
                return out_.read_back(offset + at, out);
              }));
    bucket.by_hash[theirs].push_back(offset);
  }
  bucket.not_hashed.clear();
  own_hash = samples;
  if (!seen_whole) {
    MO_ASSIGN(own_hash,
              hash(source.size(), [&](std::uint64_t at, std::span<std::byte> out) { return source.read(at, out); }));
  }
  const auto candidates = bucket.by_hash.find(own_hash);
  if (candidates == bucket.by_hash.end()) return std::optional<std::uint64_t>();
  for (const std::uint64_t offset : candidates->second) {
    MO_ASSIGN(const bool equal, equals(source, offset));
    if (equal) return std::optional<std::uint64_t>(offset);
  }
  return std::optional<std::uint64_t>();
}

Expected<std::uint64_t> WeightsWriter::append(const ConstantReader& source, ElementType type,
                                              const ConstantReader::Describe& describe) {
  static constexpr std::byte kZeros[kAlignment] = {};
  const std::uint64_t alignment = alignment_of(type, source.size());
  MO_TRY(spend(source.size()));
  if (const std::uint64_t beyond = out_.size() % alignment; beyond != 0)
    MO_TRY(out_.write({kZeros, static_cast<std::size_t>(alignment - beyond)}));
  const std::uint64_t offset = out_.size();
  MO_TRY(source.append_to(out_, describe));
  return offset;
}

Expected<Blob> WeightsWriter::place(const Tensor& tensor, const ConstantReader::Describe& describe) {
  const std::uint64_t size = tensor.byte_size();
  if (size == 0) return Blob{};
  if (keeps_) {
    MO_TRY(spend(size));
    return Blob{tensor.buffer()->file_range()->offset + tensor.offset(), size};
  }
  Group& group = groups_[group_key(tensor)];
  if (group.announced <= 1) {
    MO_ASSIGN(const ConstantReader source, open(tensor));
    MO_ASSIGN(const std::uint64_t offset, append(source, tensor.element_type(), describe));
    return Blob{offset, size};
  }
  const Key same = identity(tensor);
  if (const auto it = group.by_identity.find(same); it != group.by_identity.end()) {
    ++shared_;
    return Blob{it->second, size};
  }
  MO_ASSIGN(const ConstantReader source, open(tensor));
  MO_ASSIGN(const std::uint64_t samples, sample(source));
  const bool seen_whole = size <= kSampledWhole;
  const auto [place, first] = group.by_samples.try_emplace(samples);
  Bucket& bucket = place->second;
  std::uint64_t offset = 0;
  if (first) {
    MO_ASSIGN(offset, append(source, tensor.element_type(), describe));
    if (seen_whole)
      bucket.by_hash[samples].push_back(offset);
    else
      bucket.not_hashed.push_back(offset);
  } else {
    std::uint64_t own_hash = 0;
    MO_ASSIGN(const std::optional<std::uint64_t> equal, find_equal(source, bucket, seen_whole, samples, own_hash));
    if (equal) {
      ++shared_;
      offset = *equal;
    } else {
      MO_ASSIGN(offset, append(source, tensor.element_type(), describe));
      bucket.by_hash[own_hash].push_back(offset);
    }
  }
  group.by_identity.emplace(same, offset);
  return Blob{offset, size};
}

}  // namespace mo::ir_emitter
