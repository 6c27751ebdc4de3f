#pragma once

#include <cstdint>

/// Field numbers of the messages that hold values.
namespace mo::onnx {

/// TensorProto.
namespace tensor_field {
enum Field : std::uint32_t {
  kDims = 1,
  kDataType = 2,
  kSegment = 3,
  kFloatData = 4,
  kInt32Data = 5,
  kStringData = 6,
  kInt64Data = 7,
  kName = 8,
  kRawData = 9,
  kDoubleData = 10,
  kUint64Data = 11,
  kExternalData = 13,
  kDataLocation = 14,
};
}  // namespace tensor_field

/// AttributeProto.
namespace attribute_field {
enum Field : std::uint32_t {
  kName = 1,
  kFloat = 2,
  kInt = 3,
  kString = 4,
  kTensor = 5,
  kGraph = 6,
  kFloats = 7,
  kInts = 8,
  kStrings = 9,
  kTensors = 10,
  kGraphs = 11,
  kType = 14,
  kTypes = 15,
  kKind = 20,
  kReferenceName = 21,
  kSparse = 22,
  kSparses = 23,
  kEnd = 24,
};
}  // namespace attribute_field

}  // namespace mo::onnx
