#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/output_file.hpp"
#include "core/tensor/tensor.hpp"
#include "frontends/common/wire.hpp"

namespace mo::frontends {

/// A protobuf message in the making: bytes, and between them tensors whose bytes stay where they are until the message
/// is written. Fields come out in the order in which they are put in. Small tensors are copied at once; recipes are
/// evaluated when written.
class Encoding {
 public:
  void clear();
  bool empty() const { return size() == 0; }
  /// Of the whole message.
  std::uint64_t size() const { return bytes_.size() + inserted_; }

  /// int32, int64, enum, bool: negative numbers take ten bytes.
  void integer(std::uint32_t field, std::int64_t value);
  void real(std::uint32_t field, float value);
  void bytes(std::uint32_t field, std::string_view value);
  void message(std::uint32_t field, const Encoding& inner);
  /// The bytes of a tensor as one field.
  void tensor_bytes(std::uint32_t field, const Tensor& tensor);

  // Without a field: parts of packed lists, and fields whose tag was put before.
  void tag(std::uint32_t field, WireType type);
  void varint(std::uint64_t value);
  void fixed(const void* value, std::size_t size) { bytes_.append(static_cast<const char*>(value), size); }
  void append(const Encoding& other);
  void append(const Tensor& tensor);

  /// Appends the message to a file; stretches of files go file to file. Errors: MO-EMIT-0001, MO-IO-0003, those of
  /// recipes.
  Expected<void> write(OutputFile& file) const;
  /// Appends the message to a text. Errors: MO-IO-0003, those of recipes.
  Expected<void> append_to(std::string& text) const;
  /// Whether this is what stands at `place`, without reading tensors: those must be the very stretches of the same
  /// source.
  Expected<bool> is_at(WireSource& source, const WireField& place) const;

 private:
  struct Insert {
    std::size_t position;  ///< in bytes_, before which the tensor comes
    Tensor tensor;
  };
  std::string bytes_;
  std::vector<Insert> inserts_;
  std::uint64_t inserted_ = 0;
};

}  // namespace mo::frontends
