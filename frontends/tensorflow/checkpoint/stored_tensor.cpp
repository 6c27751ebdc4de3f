#include "frontends/tensorflow/checkpoint/stored_tensor.hpp"

#include <algorithm>
#include <cstring>

#include "core/tensor/convert.hpp"
#include "frontends/common/hash_map.hpp"
#include "frontends/tensorflow/data_types.hpp"

namespace mo::tensorflow {
namespace {

/// Bytes that are made on demand.
class DeferredBuffer final : public Buffer {
 public:
  DeferredBuffer(std::uint64_t size, std::function<Expected<Tensor>()> make) : size_(size), make_(std::move(make)) {}

  std::uint64_t size() const override { return size_; }
  std::uint32_t recipe_depth() const override { return 1; }

  Expected<BufferPtr> load() const override {
    MO_ASSIGN(const Tensor made, make_());
    MO_ASSIGN(const Tensor tensor, made.load());
    MO_ASSERT(tensor.byte_size() == size_, "a deferred tensor of another size");
    if (tensor.offset() == 0 && tensor.buffer()->size() == size_) return tensor.buffer();
    MO_ASSIGN(std::shared_ptr<HeapBuffer> copy, HeapBuffer::allocate(size_, HeapBuffer::Content::any));
    if (size_ > 0) std::memcpy(copy->mutable_bytes(), tensor.bytes().data(), static_cast<std::size_t>(size_));
    return BufferPtr(std::move(copy));
  }

 private:
  std::uint64_t size_;
  std::function<Expected<Tensor>()> make_;
};

Shape shape_of_extents(const std::vector<Extent>& extents) {
  Shape shape;
  for (const Extent& extent : extents) shape.push_back(extent.length);
  return shape;
}

/// Not more than the whole tensor has.
std::int64_t count_of(const std::vector<Extent>& extents) {
  return element_count(shape_of_extents(extents)).value_or(0);
}

/// What two slices have in common; nothing when that is no element.
std::optional<std::vector<Extent>> intersection(const std::vector<Extent>& a, const std::vector<Extent>& b) {
  std::vector<Extent> common(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::int64_t start = std::max(a[i].start, b[i].start);
    const std::int64_t end = std::min(a[i].start + a[i].length, b[i].start + b[i].length);
    if (end <= start) return std::nullopt;
    common[i] = {start, end - start};
  }
  return common;
}

/// How the elements of `common` lie in two row-major slices that have them: in runs that are contiguous in both.
struct Runs {
  std::size_t inner;    ///< dimensions from here on are one run
  std::int64_t length;  ///< elements of one
};

Runs runs_of(const std::vector<Extent>& target, const std::vector<Extent>& source, const std::vector<Extent>& common) {
  Runs runs{common.size(), 1};
  while (runs.inner > 0) {
    const std::size_t i = --runs.inner;
    runs.length *= common[i].length;
    if (common[i].length != target[i].length || common[i].length != source[i].length) break;
  }
  return runs;
}

/// Position, in a row-major slice, of the element at `at` of the whole tensor.
std::size_t position_in(const std::vector<Extent>& slice, const std::vector<std::int64_t>& at) {
  std::int64_t index = 0;
  for (std::size_t i = 0; i < slice.size(); ++i) index = index * slice[i].length + at[i] - slice[i].start;
  return static_cast<std::size_t>(index);
}

std::vector<std::int64_t> first_of(const std::vector<Extent>& slice) {
  std::vector<std::int64_t> at;
  for (const Extent& extent : slice) at.push_back(extent.start);
  return at;
}

/// Calls `fn(target, source, count)` for each run.
template <class Fn>
void each_run(const std::vector<Extent>& target, const std::vector<Extent>& source, const std::vector<Extent>& common,
              Fn&& fn) {
  const Runs runs = runs_of(target, source, common);
  std::vector<std::int64_t> at = first_of(common);
  for (;;) {
    fn(position_in(target, at), position_in(source, at), static_cast<std::size_t>(runs.length));
    std::size_t axis = runs.inner;
    while (axis > 0 && ++at[axis - 1] == common[axis - 1].start + common[axis - 1].length) {
      at[axis - 1] = common[axis - 1].start;
      --axis;
    }
    if (axis == 0) return;
  }
}

/// A part, and what of it is requested.
struct Overlap {
  std::vector<Extent> extents;
  std::vector<Extent> common;
  Tensor tensor;
};

Expected<Tensor> join_strings(const std::vector<Extent>& wanted, const std::vector<Overlap>& overlaps) {
  std::vector<std::string> joined(static_cast<std::size_t>(count_of(wanted)));
  std::uint64_t bytes = 0;
  for (const Overlap& overlap : overlaps) {
    MO_ASSIGN(const std::vector<std::string> strings, to_strings(overlap.tensor));
    each_run(wanted, overlap.extents, overlap.common, [&](std::size_t to, std::size_t from, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) bytes += (joined[to + i] = strings[from + i]).size();
    });
  }
  if (bytes > kMostTextBytes)
    return error("MO-TF-0409", "a variable has {} bytes of strings; the limit is {}", bytes, kMostTextBytes)
        .hint("split the variable");
  return from_strings(shape_of_extents(wanted), joined);
}

Expected<Tensor> join_slices(ElementType type, const std::vector<Extent>& wanted,
                             const std::vector<Overlap>& overlaps) {
  MO_ASSIGN(Tensor joined, Tensor::allocate(type, shape_of_extents(wanted)));
  const std::span<std::byte> out = joined.mutable_bytes();
  const std::size_t width = bit_width(type) / 8;
  for (const Overlap& overlap : overlaps) {
    const FileRange* const range = overlap.tensor.buffer()->file_range();
    if (range && runs_of(wanted, overlap.extents, overlap.common).length == count_of(overlap.common)) {
      // One run, as when a variable is split along its first dimension: from the file to its place.
      const std::vector<std::int64_t> first = first_of(overlap.common);
      const std::uint64_t offset =
          range->offset + overlap.tensor.offset() + position_in(overlap.extents, first) * width;
      const std::size_t size = static_cast<std::size_t>(count_of(overlap.common)) * width;
      MO_TRY(range->file->read(offset, out.subspan(position_in(wanted, first) * width, size)));
      continue;
    }
    MO_ASSIGN(const Tensor part, overlap.tensor.load());
    const auto bytes = part.bytes();
    each_run(wanted, overlap.extents, overlap.common, [&](std::size_t to, std::size_t from, std::size_t count) {
      std::memcpy(out.data() + to * width, bytes.data() + from * width, count * width);
    });
  }
  return joined;
}

/// The dimension in which the parts have the most starts.
std::size_t most_starts(const std::vector<StoredPart>& parts) {
  std::size_t best = 0;
  std::size_t most = 0;
  for (std::size_t axis = 0; !parts.empty() && axis < parts.front().extents.size(); ++axis) {
    frontends::HashSet<std::int64_t> starts;
    for (const StoredPart& part : parts) starts.insert(part.extents[axis].start);
    if (starts.size() <= most) continue;
    most = starts.size();
    best = axis;
  }
  return best;
}

Diagnostic overlapping(const StoredPart& a, const StoredPart& b) {
  return error("MO-TF-0417", "the slices {} and {} of a variable overlap", to_string(a.extents), to_string(b.extents))
      .hint("the checkpoint is corrupt, or was merged from several: save it again");
}

}  // namespace

std::uint64_t StoredType::byte_size() const {
  return mo::byte_size(element_type, element_count(shape).value_or(0)).value_or(0);
}

std::optional<std::vector<Extent>> StoredType::resolve(std::vector<Extent> extents) const {
  if (is_complex) extents.push_back({});
  return resolve_extents(extents, shape);
}

Expected<StoredType> stored_type(std::int64_t data_type, const PartialShape& shape) {
  const auto part = complex_part_of(data_type);
  const auto type = part ? part : element_type_of(data_type);
  if (!type)
    return error("MO-TF-0421", "a tensor has elements of {}, which are neither numbers nor strings",
                 data_type_name(data_type))
        .hint("cut the model after what reads it, with --input");
  StoredType stored{*type, {}, part.has_value()};
  const auto dims = shape.to_shape();
  if (dims) stored.shape = *dims;
  if (part) stored.shape.push_back(2);
  const auto count = dims ? element_count(stored.shape) : std::nullopt;
  if (!count || (*type != ElementType::string && !mo::byte_size(*type, *count)))
    return error("MO-TF-0411", "a tensor of the checkpoint has the impossible shape {}", shape.to_string())
        .hint("the checkpoint is corrupt: copy or save it again");
  return stored;
}

Expected<void> check_disjoint(const std::vector<StoredPart>& parts) {
  if (parts.size() > kMostSlices)
    return error("MO-TF-0409", "a variable is stored in {} slices; {} are the most", parts.size(), kMostSlices)
        .hint("save it in fewer slices");
  const std::size_t axis = most_starts(parts);
  if (parts.size() < 2 || parts.front().extents.empty())
    return parts.size() < 2 ? Expected<void>() : overlapping(parts[0], parts[1]);
  const auto start = [&](const StoredPart* part) { return part->extents[axis].start; };
  std::vector<const StoredPart*> sorted;
  for (const StoredPart& part : parts) sorted.push_back(&part);
  std::stable_sort(sorted.begin(), sorted.end(), [&](const auto* a, const auto* b) { return start(a) < start(b); });
  std::vector<const StoredPart*> open;  // those that reach beyond the start of the next one
  for (const StoredPart* const part : sorted) {
    std::erase_if(
        open, [&](const StoredPart* before) { return start(before) + before->extents[axis].length <= start(part); });
    for (const StoredPart* const before : open)
      if (intersection(before->extents, part->extents)) return overlapping(*before, *part);
    open.push_back(part);
  }
  return {};
}

Expected<Tensor> deferred_tensor(ElementType type, Shape shape, std::function<Expected<Tensor>()> make) {
  const auto count = element_count(shape);
  const auto bytes = count ? mo::byte_size(type, *count) : std::nullopt;
  MO_ASSERT(bytes, "a deferred tensor without a size");
  return Tensor::from_buffer(type, std::move(shape), std::make_shared<DeferredBuffer>(*bytes, std::move(make)));
}

Expected<Tensor> slice_of_parts(const StoredType& whole, const std::vector<Extent>& wanted,
                                const std::vector<StoredPart>& parts) {
  const ElementType type = whole.element_type;
  const std::int64_t needed = count_of(wanted);
  if (needed == 0)
    return type == ElementType::string ? Expected<Tensor>(from_strings(shape_of_extents(wanted), {}))
                                       : Tensor::allocate(type, shape_of_extents(wanted));
  std::vector<Overlap> overlaps;
  std::int64_t covered = 0;
  for (const StoredPart& part : parts) {
    auto common = intersection(part.extents, wanted);
    if (!common) continue;
    covered += count_of(*common);
    MO_ASSIGN(Tensor tensor, part.read());
    MO_ASSERT(tensor.element_type() == type && tensor.shape() == shape_of_extents(part.extents),
              "a stored part of another type");
    overlaps.push_back({part.extents, *std::move(common), std::move(tensor)});
  }
  if (covered != needed)
    return error("MO-TF-0417", "{} of the {} elements of slice {} are in no stored slice of the variable",
                 needed - covered, needed, to_string(wanted))
        .hint("the checkpoint is corrupt, or a part of it is missing: save it again");
  if (type == ElementType::string) return join_strings(wanted, overlaps);
  if (overlaps.size() == 1 && runs_of(wanted, overlaps.front().extents, wanted).length == needed) {
    const Overlap& only = overlaps.front();
    const std::uint64_t offset =
        only.tensor.offset() + position_in(only.extents, first_of(wanted)) * (bit_width(type) / 8);
    return Tensor::from_buffer(type, shape_of_extents(wanted), only.tensor.buffer(), offset);
  }
  if (mo::byte_size(type, needed).value_or(0) <= kSmallTensor) return join_slices(type, wanted, overlaps);
  return deferred_tensor(type, shape_of_extents(wanted), [type, wanted, overlaps = std::move(overlaps)] {
    return join_slices(type, wanted, overlaps);
  });
}

}  // namespace mo::tensorflow
