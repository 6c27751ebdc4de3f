#include "frontends/tensorflow/tensor_reader.hpp"

#include <algorithm>
#include <cstring>

#include "core/execution/recipe.hpp"
#include "core/inference/infer.hpp"
#include "core/support/budget.hpp"
#include "core/tensor/convert.hpp"
#include "frontends/tensorflow/data_types.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "ops/broadcast.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;
using frontends::WireType;

namespace {

/// Elements up to this size are copied, so that a small constant costs no file range.
constexpr std::uint64_t kCopied = 256;
/// A tensor that says one value for all its elements is written out up to this size.
constexpr std::uint64_t kFillLimit = std::uint64_t{1} << 28;

struct Header {
  std::int64_t data_type = 0;
  PartialShape shape = PartialShape(std::vector<Dimension>{});
  ElementType type = ElementType::dynamic;
  Shape dims;               ///< with the trailing 2 of complex numbers
  std::uint64_t count = 0;  ///< of the numbers that are stored
  WireField content;
  bool has_content = false;
};

/// The list that holds values of a type when they are not in tensor_content.
tensor_field::Field value_field(const Header& header) {
  if (complex_part_of(header.data_type))
    return header.type == ElementType::f32 ? tensor_field::kComplexFloats : tensor_field::kComplexDoubles;
  switch (header.type) {
    case ElementType::f32: return tensor_field::kFloats;
    case ElementType::f64: return tensor_field::kDoubles;
    case ElementType::i64: return tensor_field::kInt64s;
    case ElementType::boolean: return tensor_field::kBools;
    case ElementType::f16:
    case ElementType::bf16: return tensor_field::kHalves;
    case ElementType::u32: return tensor_field::kUint32s;
    case ElementType::u64: return tensor_field::kUint64s;
    case ElementType::string: return tensor_field::kStrings;
    default: return tensor_field::kInts;
  }
}

Expected<Header> read_header(WireSource& source, const WireField& message) {
  Header header;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == tensor_field::kDataType) {
      MO_ASSIGN(header.data_type, integer_of(field));
    } else if (field.number == tensor_field::kShape) {
      MO_ASSIGN(header.shape, read_shape(source, field));
    } else if (field.number == tensor_field::kContent) {
      if (field.type != WireType::bytes) return frontends::wrong_wire_type(field, "bytes");
      header.content = field;
      header.has_content = field.size > 0;
    }
    return {};
  }));
  const auto part = complex_part_of(header.data_type);
  const auto type = part ? part : element_type_of(header.data_type);
  if (!type)
    return error("MO-TF-0020", "a tensor has elements of {}, which are not numbers", data_type_name(header.data_type))
        .hint("cut the model after it with --input");
  header.type = *type;
  const auto shape = header.shape.to_shape();
  if (shape) header.dims = *shape;
  if (part) header.dims.push_back(2);
  const auto count = shape ? element_count(header.dims) : std::nullopt;
  if (!count || (*type != ElementType::string && !byte_size(*type, *count)))
    return error("MO-TF-0021", "the shape {} of a tensor is impossible", header.shape.to_string())
        .hint("dimensions of a constant are known and not negative, and the number of bytes fits 64 bits");
  header.count = static_cast<std::uint64_t>(*count);
  return header;
}

Diagnostic wrong_size(const Header& header, std::uint64_t have, std::string_view unit) {
  return error("MO-TF-0022", "a tensor of type {}{} has {} {}", mo::to_string(header.type), mo::to_string(header.dims),
               have, unit)
      .hint("the file is corrupt or was edited: export the model again");
}

/// Old tools wrote no shape for vectors: a scalar with `have` values is one of them.
void take_as_vector(Header& header, std::uint64_t have, std::vector<Diagnostic>* remarks) {
  if (!remarks || !header.dims.empty() || have <= header.count) return;
  remarks->push_back(warning("MO-TF-0024", "a tensor of type {}[] has {} values: it is read as a vector",
                             mo::to_string(header.type), have)
                         .hint("TensorFlow refuses such a constant; give it the shape [{}]", have));
  header.dims = {static_cast<std::int64_t>(have)};
  header.count = have;
}

Expected<Tensor> from_content(WireSource& source, Header header, std::vector<Diagnostic>* remarks = nullptr) {
  const std::size_t element = bit_width(header.type) / 8;
  if (element > 0 && header.content.size % element == 0) take_as_vector(header, header.content.size / element, remarks);
  if (byte_size(header.type, static_cast<std::int64_t>(header.count)) != header.content.size)
    return wrong_size(header, header.content.size, "bytes");
  MO_ASSIGN(frontends::BufferRange range, source.share(header.content.offset, header.content.size));
  MO_ASSIGN(Tensor tensor, Tensor::from_buffer(header.type, header.dims, std::move(range.buffer), range.offset));
  const bool is_bool = header.type == ElementType::boolean;
  const bool is_aligned =
      !tensor.in_memory() || reinterpret_cast<std::uintptr_t>(tensor.bytes().data()) % alignof(std::uint64_t) == 0;
  if (!is_bool && is_aligned && tensor.byte_size() > kCopied) return tensor;
  MO_ASSIGN(const Tensor loaded, tensor.load());
  MO_ASSIGN(Tensor copy, Tensor::allocate(header.type, header.dims));
  const auto from = loaded.bytes();
  // Readers of booleans expect 0 or 1; files may hold other bytes.
  std::transform(from.begin(), from.end(), copy.mutable_bytes().begin(),
                 [&](std::byte b) { return is_bool && b != std::byte{0} ? std::byte{1} : b; });
  return copy;
}

/// Calls `fn(bits)` for each stored number; `bits` are the low bytes of the element.
template <class Fn>
Expected<void> each_value(WireSource& source, const WireField& message, const Header& header, Fn&& fn) {
  const tensor_field::Field wanted = value_field(header);
  MO_ASSIGN(WireReader reader, message_of(source, message));
  return reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != wanted) return {};
    const auto bits_of = [&](auto value) -> Expected<void> {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof value);
      return fn(bits);
    };
    if (wanted == tensor_field::kFloats || wanted == tensor_field::kComplexFloats)
      return frontends::each_fixed<float>(source, field, bits_of);
    if (wanted == tensor_field::kDoubles || wanted == tensor_field::kComplexDoubles)
      return frontends::each_fixed<double>(source, field, bits_of);
    return each_varint(source, field, [&](std::uint64_t value) -> Expected<void> {
      return fn(wanted == tensor_field::kBools ? value != 0 : value);
    });
  });
}

/// One value for all elements, written out when the .bin is.
Expected<Tensor> splat(const Header& header, Tensor value) {
  const TensorType type{header.type, PartialShape(header.dims)};
  return make_recipe(
      ops::v3::Broadcast{},
      {std::move(value), Tensor::vector(std::vector<std::int64_t>(header.dims.begin(), header.dims.end()))}, 1, 0,
      type);
}

Expected<Tensor> from_values(WireSource& source, const WireField& message, Header header,
                             std::vector<Diagnostic>* remarks) {
  // One packed list that is exactly the tensor stays where it is.
  WireField only;
  std::size_t lists = 0;
  const tensor_field::Field wanted = value_field(header);
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == wanted && ++lists == 1) only = field;
    return {};
  }));
  const std::uint64_t bytes = byte_size(header.type, static_cast<std::int64_t>(header.count)).value_or(0);
  const bool is_stored = wanted == tensor_field::kFloats || wanted == tensor_field::kDoubles ||
                         wanted == tensor_field::kComplexFloats || wanted == tensor_field::kComplexDoubles;
  if (is_stored && lists == 1 && only.type == WireType::bytes && only.size == bytes && bytes > kCopied) {
    Header packed = header;
    packed.content = only;
    return from_content(source, packed);
  }
  std::uint64_t given = 0;
  MO_TRY(
      each_value(source, message, header, [&](std::uint64_t) -> Expected<void> { return ++given, Expected<void>(); }));
  take_as_vector(header, given, remarks);
  if (given > header.count) return wrong_size(header, given, "values");
  if (const std::uint64_t filled = bytes - bytes / std::max<std::uint64_t>(header.count, 1) * given;
      filled > kSmallValueBytes && (bytes > kFillLimit || !may_grow_constant(filled)))
    return error("MO-TF-0023", "a tensor of type {}{} has {} values for {} elements and is too large to be filled",
                 mo::to_string(header.type), mo::to_string(header.dims), given, header.count)
        .hint("the limit is {} bytes for all tensors of a small model; replace it by a Fill operation in the model",
              kFillLimit);
  const std::size_t width = bit_width(header.type) / 8;
  const bool is_splat = given <= 1 && bytes > kSmallValueBytes && width > 0;
  Header stored = header;
  if (is_splat) stored.dims = {};
  MO_ASSIGN(Tensor tensor, Tensor::allocate(stored.type, stored.dims));
  const auto out = tensor.mutable_bytes();
  const std::size_t step = complex_part_of(header.data_type) ? 2 : 1;
  if (given % step != 0) return wrong_size(header, given, "values");
  std::size_t done = 0;
  MO_TRY(each_value(source, message, header, [&](std::uint64_t bits) -> Expected<void> {
    std::memcpy(out.data() + width * done++, &bits, width);  // little-endian: the low bytes come first
    return {};
  }));
  if (is_splat) return splat(header, std::move(tensor));
  // TensorFlow's TensorProto: the last value stands for all that are missing; none at all: zeros.
  for (; done > 0 && done < header.count; ++done)
    std::memcpy(out.data() + width * done, out.data() + width * (done - step), width);
  return tensor;
}

Expected<Tensor> from_strings_of(WireSource& source, const WireField& message, Header header,
                                 std::vector<Diagnostic>* remarks) {
  constexpr std::uint64_t kMostStrings = std::uint64_t{1} << 24;
  std::vector<std::string> strings;
  std::uint64_t bytes = 0;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != tensor_field::kStrings) return {};
    MO_ASSIGN(std::string text, text_of(source, field));
    bytes += text.size();
    strings.push_back(std::move(text));
    return {};
  }));
  take_as_vector(header, strings.size(), remarks);
  if (strings.size() > header.count) return wrong_size(header, strings.size(), "strings");
  if (header.count > kMostStrings || bytes > kFillLimit)
    return error("MO-TF-0023", "a tensor of {} strings with {} bytes is too large", header.count, bytes)
        .hint("split the tensor");
  const std::string last = strings.empty() ? std::string() : strings.back();
  if (last.size() * (header.count - strings.size()) > kFillLimit)
    return error("MO-TF-0023", "a tensor of {} strings is too large to be filled", header.count)
        .hint("split the tensor");
  strings.resize(static_cast<std::size_t>(header.count), last);
  return from_strings(header.dims, strings);
}

}  // namespace

Expected<Tensor> read_tensor(WireSource& source, const WireField& message, std::vector<Diagnostic>* remarks) {
  MO_ASSIGN(const Header header, read_header(source, message));
  if (header.type == ElementType::string) return from_strings_of(source, message, header, remarks);
  if (header.has_content) return from_content(source, header, remarks);
  return from_values(source, message, header, remarks);
}

Expected<PartialShape> read_shape(WireSource& source, const WireField& message) {
  std::vector<Dimension> dims;
  bool is_unknown = false;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == shape_field::kUnknownRank) {
      MO_ASSIGN(const std::int64_t flag, integer_of(field));
      is_unknown = flag != 0;
      return {};
    }
    if (field.number != shape_field::kDimension) return {};
    std::int64_t size = 0;
    MO_ASSIGN(WireReader dim, message_of(source, field));
    MO_TRY(dim.each([&](const WireField& part) -> Expected<void> {
      if (part.number != dimension_field::kSize) return {};
      MO_ASSIGN(size, integer_of(part));
      return {};
    }));
    if (size < -1 || size == Dimension::kNoLimit || dims.size() == kMostDimensions)
      return error("MO-TF-0021", "dimension {} of a shape is {}", dims.size(), size)
          .hint(
              "a shape has at most {} dimensions, none of them negative; compare the checksum of the file, or export "
              "it again",
              kMostDimensions);
    dims.push_back(size == -1 ? Dimension() : Dimension(size));
    return {};
  }));
  return is_unknown ? PartialShape() : PartialShape(std::move(dims));
}

}  // namespace mo::tensorflow
