#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/attributes/attribute_value.hpp"
#include "frontends/onnx/tensor_reader.hpp"

namespace mo::onnx {

/// An AttributeProto: its numbers, and where its texts and messages lie.
struct AttributeMessage {
  std::string name;
  std::string reference;  ///< the attribute of the enclosing function that gives the value
  std::int64_t kind = 0;
  std::uint32_t present = 0;  ///< bit n: field n has a value
  double real = 0;
  std::int64_t integer = 0;
  std::vector<double> reals;
  std::vector<std::int64_t> integers;
  /// strings, tensors, graphs, types: the payload of `present` fields in order
  std::vector<frontends::WireField> messages;

  /// `others`: the attributes that the node has. Errors: MO-ONNX-0019 (one too many, or a list that is too long),
  /// MO-ONNX-0020 (no name, one of ours, or one that was there before), MO-PB-*.
  Expected<void> read(frontends::WireSource& source, const frontends::WireField& message, const AttributeMap& others);
  /// The field that holds the value: that of the type, or the only one where no type is given. Error MO-ONNX-0021.
  Expected<std::uint32_t> value_field() const;
  /// The value of a field that holds numbers, texts or a tensor; none for another one. Errors: those of tensors.
  Expected<AttributeValue> take_plain_value(std::uint32_t field, frontends::WireSource& source, TensorReader& tensors);
};

/// Whether an attribute has at most one value of that field, which is a message.
bool is_single_message(std::uint32_t field);

}  // namespace mo::onnx
