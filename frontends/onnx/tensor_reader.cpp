#include "frontends/onnx/tensor_reader.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/tensor/convert.hpp"
#include "core/tensor/packing.hpp"
#include "frontends/onnx/data_types.hpp"
#include "frontends/onnx/entries.hpp"
#include "frontends/onnx/fields.hpp"

namespace mo::onnx {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireType;

namespace {

constexpr std::uint32_t kTypedEnd = 12;

/// The list in which elements of a type lie when they are not raw.
tensor_field::Field typed_field(ElementType type) {
  switch (type) {
    case ElementType::f32: return tensor_field::kFloatData;
    case ElementType::f64: return tensor_field::kDoubleData;
    case ElementType::i64: return tensor_field::kInt64Data;
    case ElementType::u32:
    case ElementType::u64: return tensor_field::kUint64Data;
    case ElementType::string: return tensor_field::kStringData;
    default: return tensor_field::kInt32Data;
  }
}

std::string_view field_name(std::uint32_t field) {
  switch (field) {
    case tensor_field::kFloatData: return "float_data";
    case tensor_field::kInt32Data: return "int32_data";
    case tensor_field::kStringData: return "string_data";
    case tensor_field::kInt64Data: return "int64_data";
    case tensor_field::kDoubleData: return "double_data";
    case tensor_field::kUint64Data: return "uint64_data";
    default: return "raw_data";
  }
}

/// What an element of int32_data may be. ONNX: floats of 16 and 8 bits are stored as their bit patterns, two 4-bit
/// numbers or four 2-bit numbers as one byte. Exporters write bytes and bit patterns with and without sign.
bool fits(ElementType type, bool is_pattern, std::int64_t v) {
  if (is_pattern) return v >= -128 && v <= 255;
  switch (type) {
    case ElementType::i8: return v >= -128 && v <= 127;
    case ElementType::u8: return v >= 0 && v <= 255;
    case ElementType::i4:
    case ElementType::u2:
    case ElementType::u4:
    case ElementType::f4e2m1:
    case ElementType::f8e4m3:
    case ElementType::f8e5m2:
    case ElementType::f8e8m0: return v >= -128 && v <= 255;
    case ElementType::i16: return v >= -32768 && v <= 32767;
    case ElementType::u16: return v >= 0 && v <= 65535;
    case ElementType::f16:
    case ElementType::bf16: return v >= -32768 && v <= 65535;
    default: return true;
  }
}

}  // namespace

/// Everything of a TensorProto but its elements, and where those are.
struct TensorReader::Header {
  struct Payload {
    std::uint64_t bytes = 0;
    std::uint64_t fields = 0;
    WireField first;
  };
  std::string name;
  Shape dims;
  std::int64_t data_type = 0;
  ElementType type = ElementType::dynamic;
  std::int64_t count = 0;
  bool is_widened = false;  ///< `type` is that of the bit patterns
  bool is_segment = false;
  bool is_external = false;
  std::array<Payload, kTypedEnd> payloads;  ///< by field number
  ExternalEntries external;

  /// An error about this tensor.
  template <class... Args>
  Diagnostic error(std::string_view code, fmt::format_string<Args...> text, Args&&... args) const {
    return mo::error(code, "{}: {}", name.empty() ? "a tensor without a name" : fmt::format("tensor '{}'", name),
                     fmt::format(text, std::forward<Args>(args)...));
  }
};

Expected<TensorReader::Header> TensorReader::read_header(const WireField& message) {
  Header header;
  MO_ASSIGN(WireReader reader, message_of(*source_, message));
  bool too_many_dims = false;
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    switch (field.number) {
      case tensor_field::kDims:
        return each_varint(*source_, field, [&](std::uint64_t v) -> Expected<void> {
          if (header.dims.size() == kMaxRank)
            too_many_dims = true;
          else
            header.dims.push_back(static_cast<std::int64_t>(v));
          return {};
        });
      case tensor_field::kDataType: {
        MO_ASSIGN(header.data_type, integer_of(field));
        return {};
      }
      case tensor_field::kSegment: header.is_segment = true; return {};
      case tensor_field::kName: {
        MO_ASSIGN(const std::string_view name, short_text_of(*source_, field));
        header.name = name;
        return {};
      }
      case tensor_field::kDataLocation: {
        MO_ASSIGN(const std::int64_t location, integer_of(field));
        header.is_external = location == 1;
        return {};
      }
      case tensor_field::kExternalData: {
        if (header.external.size() >= 100) return {};  // five keys are known: the rest would be ignored anyway
        MO_ASSIGN(auto entry, read_entry(*source_, field, 64 * 1024));
        header.external.push_back(std::move(entry));
        return {};
      }
      default: {
        if (field.number < tensor_field::kFloatData || field.number >= kTypedEnd) return {};
        Header::Payload& payload = header.payloads[field.number];
        if (payload.fields++ == 0) payload.first = field;
        payload.bytes += field.size;
        return {};
      }
    }
  }));
  const auto widened = widened_type_of(header.data_type);
  header.is_widened = widened.has_value();
  const auto type = widened ? widened->stored : element_type_of(header.data_type);
  if (!type)
    return header.error("MO-ONNX-0030", "elements of type {} are not supported", data_type_name(header.data_type))
        .hint("convert the tensor to another type when exporting the model");
  header.type = *type;
  const auto count = too_many_dims ? std::nullopt : element_count(header.dims);
  if (!count || (*type != ElementType::string && !byte_size(*type, *count)))
    return header
        .error("MO-ONNX-0031", "its shape {} is impossible",
               header.dims.size() > 16 ? "of very high rank" : to_string(header.dims))
        .hint("dimensions are not negative, and the number of bytes fits 64 bits");
  header.count = *count;
  if (header.is_segment)
    return header
        .error("MO-ONNX-0035",
               "it is one segment of a tensor that is split over several messages, which is not supported")
        .hint("save the model again with a current version of ONNX");
  return header;
}

Expected<Tensor> TensorReader::from_range(const Header& header, BufferPtr buffer, std::uint64_t offset) const {
  MO_ASSIGN(Tensor tensor, Tensor::from_buffer(header.type, header.dims, std::move(buffer), offset));
  const bool is_bool = header.type == ElementType::boolean;
  // In a model in memory elements lie wherever the message put them, but a tensor's elements are aligned.
  const bool is_aligned =
      !tensor.in_memory() || reinterpret_cast<std::uintptr_t>(tensor.bytes().data()) % alignof(std::uint64_t) == 0;
  if (!is_bool && is_aligned && tensor.byte_size() > kCopied) return tensor;
  MO_ASSIGN(const Tensor loaded, tensor.load());
  MO_ASSIGN(Tensor copy, Tensor::allocate(header.type, header.dims));
  const auto from = loaded.bytes();
  const auto to = copy.mutable_bytes();
  // Readers of booleans expect 0 or 1; files may hold other bytes.
  std::transform(from.begin(), from.end(), to.begin(),
                 [&](std::byte b) { return is_bool && b != std::byte{0} ? std::byte{1} : b; });
  return copy;
}

Expected<Tensor> TensorReader::read_elements(const WireField& message, const Header& header) {
  const tensor_field::Field wanted = typed_field(header.type);
  const Header::Payload& raw = header.payloads[tensor_field::kRawData];
  const Header::Payload& typed = header.payloads[wanted];
  const std::uint64_t needed = byte_size(header.type, header.count).value_or(0);

  std::uint32_t used = 0;  // the typed list that has elements
  for (std::uint32_t field = tensor_field::kFloatData; field < kTypedEnd; ++field) {
    if (field == tensor_field::kRawData || field == tensor_field::kName || header.payloads[field].fields == 0) continue;
    if (header.payloads[field].bytes == 0 && field != tensor_field::kStringData) continue;  // an empty packed list
    if (used != 0)
      return header.error("MO-ONNX-0033", "it has elements in {} and in {}", field_name(used), field_name(field))
          .hint("only one of them may be used");
    used = field;
  }
  if (header.is_external) {
    if (header.type == ElementType::string)
      return header.error("MO-ONNX-0037", "strings cannot be external data")
          .hint("ONNX stores strings in string_data only");
    if (used != 0 || raw.bytes != 0)
      return header.error("MO-ONNX-0033", "it has elements in the model and in a file")
          .hint("only one of them may be used");
    auto buffer = open_external(*external_, header.external, needed, reported_, *sink_);
    if (!buffer) {
      for (Diagnostic& d : buffer.error().items()) d.notes.push_back(fmt::format("for tensor '{}'", header.name));
      return std::move(buffer).error();
    }
    return from_range(header, *std::move(buffer), 0);
  }
  if (raw.fields > 0 && (raw.bytes > 0 || used == 0)) {
    if (used != 0)
      return header.error("MO-ONNX-0033", "it has elements in raw_data and in {}", field_name(used))
          .hint("only one of them may be used");
    if (header.type == ElementType::string)
      return header.error("MO-ONNX-0037", "strings cannot be raw data").hint("ONNX stores strings in string_data only");
    if (raw.fields > 1 || raw.first.type != WireType::bytes || raw.bytes != needed)
      return header
          .error("MO-ONNX-0032", "its raw data has {} bytes, {}{} needs {}", raw.bytes, to_string(header.type),
                 to_string(header.dims), needed)
          .hint("the file is corrupt or was edited: export the model again");
    MO_ASSIGN(frontends::BufferRange range, source_->share(raw.first.offset, raw.first.size));
    return from_range(header, std::move(range.buffer), range.offset);
  }
  if (used != 0 && used != wanted)
    return header
        .error("MO-ONNX-0033", "its elements are in {}, those of type {} belong in {}", field_name(used),
               data_type_name(header.data_type), field_name(wanted))
        .hint("export the model again; onnx.checker finds such errors");
  if (used == 0 && header.count > 0 && typed.fields == 0)
    return header
        .error("MO-ONNX-0032", "it has no elements, {}{} needs {}", to_string(header.type), to_string(header.dims),
               header.count)
        .hint("the weights were removed from the model, or are kept in another file");
  if (header.type == ElementType::string) return decode_strings(message, header);
  const bool is_packed_as_stored = (wanted == tensor_field::kFloatData || wanted == tensor_field::kDoubleData) &&
                                   typed.fields == 1 && typed.first.type == WireType::bytes;
  if (is_packed_as_stored && typed.bytes == needed && needed > kCopied) {
    MO_ASSIGN(frontends::BufferRange range, source_->share(typed.first.offset, typed.first.size));
    return from_range(header, std::move(range.buffer), range.offset);
  }
  return decode(message, header);
}

Expected<Tensor> TensorReader::decode(const WireField& message, const Header& header) {
  const tensor_field::Field wanted = typed_field(header.type);
  const std::uint64_t stored = is_sub_byte(header.type) ? byte_size(header.type, header.count).value_or(0)
                                                        : static_cast<std::uint64_t>(header.count);
  const auto wrong_count = [&](std::string_view comparison) {
    return header
        .error("MO-ONNX-0032", "{} has {} elements than {}{} needs", field_name(wanted), comparison,
               to_string(header.type), to_string(header.dims))
        .hint("the file is corrupt or was edited: export the model again");
  };
  std::uint64_t done = 0;
  const auto wrong_element = [&](auto value) {
    return header
        .error("MO-ONNX-0034", "element {} is {}, which is not of type {}", done, value,
               data_type_name(header.data_type))
        .hint("the file is corrupt: compare its checksum, and download or export it again");
  };
  // Every element takes at least one byte of the file: what is allocated is bounded by what is there.
  if (stored > header.payloads[wanted].bytes) return wrong_count("fewer");
  MO_ASSIGN(Tensor tensor, Tensor::allocate(header.type, header.dims));
  const auto bytes = tensor.mutable_bytes();
  const std::size_t width = std::max<std::size_t>(1, bit_width(header.type) / 8);
  const auto put = [&](const void* value) { std::memcpy(bytes.data() + width * done++, value, width); };

  MO_ASSIGN(WireReader reader, message_of(*source_, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != wanted) return {};
    if (wanted == tensor_field::kFloatData || wanted == tensor_field::kDoubleData) {
      const auto store = [&](auto value) -> Expected<void> {
        if (done == stored) return wrong_count("more");
        put(&value);
        return {};
      };
      return wanted == tensor_field::kFloatData ? frontends::each_fixed<float>(*source_, field, store)
                                                : frontends::each_fixed<double>(*source_, field, store);
    }
    return each_varint(*source_, field, [&](std::uint64_t value) -> Expected<void> {
      if (done == stored) return wrong_count("more");
      if (wanted == tensor_field::kInt32Data) {
        const std::int64_t number = static_cast<std::int32_t>(value);
        if (!fits(header.type, header.is_widened, number)) return wrong_element(number);
        if (header.type == ElementType::boolean) value = number != 0 ? 1 : 0;
      } else if (header.type == ElementType::u32 && value > std::numeric_limits<std::uint32_t>::max()) {
        return wrong_element(value);
      }
      put(&value);  // little-endian: the low bytes come first
      return {};
    });
  }));
  if (done != stored) return wrong_count("fewer");
  return tensor;
}

Expected<Tensor> TensorReader::decode_strings(const WireField& message, const Header& header) {
  const Header::Payload& payload = header.payloads[tensor_field::kStringData];
  if (payload.fields != static_cast<std::uint64_t>(header.count))
    return header
        .error("MO-ONNX-0032", "it has {} strings, its shape {} needs {}", payload.fields, to_string(header.dims),
               header.count)
        .hint("the file is corrupt or was edited: export the model again");
  // The packed form counts with 32-bit offsets.
  if (payload.bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()) / 2 ||
      header.count > (1 << 28))
    return header.error("MO-ONNX-0038", "its strings take {} bytes, which is too much", payload.bytes)
        .hint("split the tensor");
  std::vector<std::string> strings;
  MO_ASSIGN(WireReader reader, message_of(*source_, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number != tensor_field::kStringData) return {};
    MO_ASSIGN(std::string text, text_of(*source_, field));
    strings.push_back(std::move(text));
    return {};
  }));
  return from_strings(header.dims, strings);
}

Expected<Tensor> TensorReader::widen(const Header& header, const Tensor& patterns) {
  MO_ASSIGN(Tensor numbers, widened(header.data_type, patterns));
  if (widened_types_.insert(header.data_type).second) {
    Diagnostic note = warning("MO-ONNX-0471", "tensors of {} become {}, which holds the same values",
                              data_type_name(header.data_type), to_string(numbers.element_type()));
    note.severity = Severity::note;
    sink_->report(std::move(note));
  }
  return numbers;
}

Expected<NamedTensor> TensorReader::read(const WireField& message) {
  MO_ASSIGN(Header header, read_header(message));
  MO_ASSIGN(Tensor tensor, read_elements(message, header));
  if (header.is_widened) { MO_ASSIGN(tensor, widen(header, tensor)); }
  return NamedTensor{std::move(header.name), std::move(tensor)};
}

}  // namespace mo::onnx
