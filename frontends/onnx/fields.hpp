#pragma once

#include <cstdint>

/// Field numbers of the messages of an ONNX model, as far as they are read; tests/frontends/onnx/fields_test.cpp
/// compares them with onnx.proto.
namespace mo::onnx {

/// ModelProto.
namespace model_field {
enum Field : std::uint32_t {
  kIrVersion = 1,
  kProducerName = 2,
  kProducerVersion = 3,
  kDomain = 4,
  kModelVersion = 5,
  kDocString = 6,
  kGraph = 7,
  kOpsetImport = 8,
  kMetadata = 14,
  kTrainingInfo = 20,
  kFunctions = 25,
};
}  // namespace model_field

/// OperatorSetIdProto.
namespace opset_field {
enum Field : std::uint32_t {
  kDomain = 1,
  kVersion = 2,
};
}  // namespace opset_field

/// GraphProto.
namespace graph_field {
enum Field : std::uint32_t {
  kNode = 1,
  kName = 2,
  kInitializer = 5,
  kDocString = 10,
  kInput = 11,
  kOutput = 12,
  kValueInfo = 13,
  kQuantizationAnnotation = 14,
  kSparseInitializer = 15,
  kMetadata = 16,
};
}  // namespace graph_field

/// TensorAnnotation.
namespace annotation_field {
enum Field : std::uint32_t {
  kTensorName = 1,
  kParameters = 2,
};
}  // namespace annotation_field

/// FunctionProto.
namespace function_field {
enum Field : std::uint32_t {
  kName = 1,
  kInput = 4,
  kOutput = 5,
  kAttribute = 6,
  kNode = 7,
  kOpsetImport = 9,
  kDomain = 10,
  kAttributeDefault = 11,
  kOverload = 13,
};
}  // namespace function_field

/// NodeProto.
namespace node_field {
enum Field : std::uint32_t {
  kInput = 1,
  kOutput = 2,
  kName = 3,
  kOpType = 4,
  kAttribute = 5,
  kDomain = 7,
  kOverload = 8,
};
}  // namespace node_field

/// ValueInfoProto.
namespace value_field {
enum Field : std::uint32_t {
  kName = 1,
  kType = 2,
};
}  // namespace value_field

/// TypeProto.
namespace type_field {
enum Field : std::uint32_t {
  kTensor = 1,
  kSequence = 4,
  kMap = 5,
  kOpaque = 7,
  kSparseTensor = 8,
  kOptional = 9,
};
}  // namespace type_field

/// TypeProto.Tensor and TypeProto.SparseTensor.
namespace tensor_type_field {
enum Field : std::uint32_t {
  kElementType = 1,
  kShape = 2,
};
}  // namespace tensor_type_field

/// TypeProto.Sequence and TypeProto.Optional.
namespace element_type_field {
enum Field : std::uint32_t {
  kElement = 1,
};
}  // namespace element_type_field

/// TypeProto.Map.
namespace map_type_field {
enum Field : std::uint32_t {
  kKey = 1,
  kValue = 2,
};
}  // namespace map_type_field

/// TensorShapeProto.
namespace shape_field {
enum Field : std::uint32_t {
  kDimension = 1,
};
}  // namespace shape_field

/// TensorShapeProto.Dimension.
namespace dimension_field {
enum Field : std::uint32_t {
  kValue = 1,
  kParameter = 2,
};
}  // namespace dimension_field

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

/// SparseTensorProto.
namespace sparse_tensor_field {
enum Field : std::uint32_t {
  kValues = 1,
  kIndices = 2,
  kDims = 3,
};
}  // namespace sparse_tensor_field

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

/// AttributeProto.AttributeType, as far as values have them.
namespace attribute_kind {
enum Kind : std::int64_t {
  kFloat = 1,
  kInt = 2,
  kString = 3,
  kTensor = 4,
  kGraph = 5,
  kFloats = 6,
  kInts = 7,
  kStrings = 8,
  kGraphs = 10,
};
}  // namespace attribute_kind

}  // namespace mo::onnx
