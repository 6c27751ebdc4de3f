#include "frontends/onnx/fields.hpp"

#include <gtest/gtest.h>

#include "frontends/common/fields.hpp"
#include "onnx.pb.h"

// The readers scan binary messages by number; the protobuf classes know the same numbers from the .proto.
namespace mo::onnx {
namespace {

TEST(OnnxFields, AreThoseOfTheSchema) {
  EXPECT_EQ(model_field::kIrVersion, ModelProto::kIrVersionFieldNumber);
  EXPECT_EQ(model_field::kProducerName, ModelProto::kProducerNameFieldNumber);
  EXPECT_EQ(model_field::kProducerVersion, ModelProto::kProducerVersionFieldNumber);
  EXPECT_EQ(model_field::kDomain, ModelProto::kDomainFieldNumber);
  EXPECT_EQ(model_field::kModelVersion, ModelProto::kModelVersionFieldNumber);
  EXPECT_EQ(model_field::kDocString, ModelProto::kDocStringFieldNumber);
  EXPECT_EQ(model_field::kGraph, ModelProto::kGraphFieldNumber);
  EXPECT_EQ(model_field::kOpsetImport, ModelProto::kOpsetImportFieldNumber);
  EXPECT_EQ(model_field::kTrainingInfo, ModelProto::kTrainingInfoFieldNumber);
  EXPECT_EQ(model_field::kFunctions, ModelProto::kFunctionsFieldNumber);
  EXPECT_EQ(model_field::kMetadata, ModelProto::kMetadataPropsFieldNumber);
  EXPECT_EQ(opset_field::kDomain, OperatorSetIdProto::kDomainFieldNumber);
  EXPECT_EQ(opset_field::kVersion, OperatorSetIdProto::kVersionFieldNumber);
  EXPECT_EQ(graph_field::kNode, GraphProto::kNodeFieldNumber);
  EXPECT_EQ(graph_field::kName, GraphProto::kNameFieldNumber);
  EXPECT_EQ(graph_field::kInitializer, GraphProto::kInitializerFieldNumber);
  EXPECT_EQ(graph_field::kDocString, GraphProto::kDocStringFieldNumber);
  EXPECT_EQ(graph_field::kInput, GraphProto::kInputFieldNumber);
  EXPECT_EQ(graph_field::kOutput, GraphProto::kOutputFieldNumber);
  EXPECT_EQ(graph_field::kValueInfo, GraphProto::kValueInfoFieldNumber);
  EXPECT_EQ(graph_field::kQuantizationAnnotation, GraphProto::kQuantizationAnnotationFieldNumber);
  EXPECT_EQ(graph_field::kSparseInitializer, GraphProto::kSparseInitializerFieldNumber);
  EXPECT_EQ(graph_field::kMetadata, GraphProto::kMetadataPropsFieldNumber);
  EXPECT_EQ(annotation_field::kTensorName, TensorAnnotation::kTensorNameFieldNumber);
  EXPECT_EQ(annotation_field::kParameters, TensorAnnotation::kQuantParameterTensorNamesFieldNumber);
  EXPECT_EQ(function_field::kName, FunctionProto::kNameFieldNumber);
  EXPECT_EQ(function_field::kInput, FunctionProto::kInputFieldNumber);
  EXPECT_EQ(function_field::kOutput, FunctionProto::kOutputFieldNumber);
  EXPECT_EQ(function_field::kAttribute, FunctionProto::kAttributeFieldNumber);
  EXPECT_EQ(function_field::kNode, FunctionProto::kNodeFieldNumber);
  EXPECT_EQ(function_field::kOpsetImport, FunctionProto::kOpsetImportFieldNumber);
  EXPECT_EQ(function_field::kDomain, FunctionProto::kDomainFieldNumber);
  EXPECT_EQ(function_field::kOverload, FunctionProto::kOverloadFieldNumber);
  EXPECT_EQ(function_field::kAttributeDefault, FunctionProto::kAttributeProtoFieldNumber);
  EXPECT_EQ(node_field::kInput, NodeProto::kInputFieldNumber);
  EXPECT_EQ(node_field::kOutput, NodeProto::kOutputFieldNumber);
  EXPECT_EQ(node_field::kName, NodeProto::kNameFieldNumber);
  EXPECT_EQ(node_field::kOpType, NodeProto::kOpTypeFieldNumber);
  EXPECT_EQ(node_field::kAttribute, NodeProto::kAttributeFieldNumber);
  EXPECT_EQ(node_field::kDomain, NodeProto::kDomainFieldNumber);
  EXPECT_EQ(node_field::kOverload, NodeProto::kOverloadFieldNumber);
  EXPECT_EQ(value_field::kName, ValueInfoProto::kNameFieldNumber);
  EXPECT_EQ(value_field::kType, ValueInfoProto::kTypeFieldNumber);
  EXPECT_EQ(type_field::kTensor, TypeProto::kTensorTypeFieldNumber);
  EXPECT_EQ(type_field::kSequence, TypeProto::kSequenceTypeFieldNumber);
  EXPECT_EQ(type_field::kMap, TypeProto::kMapTypeFieldNumber);
  EXPECT_EQ(type_field::kOpaque, TypeProto::kOpaqueTypeFieldNumber);
  EXPECT_EQ(type_field::kSparseTensor, TypeProto::kSparseTensorTypeFieldNumber);
  EXPECT_EQ(type_field::kOptional, TypeProto::kOptionalTypeFieldNumber);
  EXPECT_EQ(tensor_type_field::kElementType, TypeProto::Tensor::kElemTypeFieldNumber);
  EXPECT_EQ(tensor_type_field::kShape, TypeProto::Tensor::kShapeFieldNumber);
  EXPECT_EQ(tensor_type_field::kElementType, TypeProto::SparseTensor::kElemTypeFieldNumber);
  EXPECT_EQ(tensor_type_field::kShape, TypeProto::SparseTensor::kShapeFieldNumber);
  EXPECT_EQ(element_type_field::kElement, TypeProto::Sequence::kElemTypeFieldNumber);
  EXPECT_EQ(element_type_field::kElement, TypeProto::Optional::kElemTypeFieldNumber);
  EXPECT_EQ(map_type_field::kKey, TypeProto::Map::kKeyTypeFieldNumber);
  EXPECT_EQ(map_type_field::kValue, TypeProto::Map::kValueTypeFieldNumber);
  EXPECT_EQ(shape_field::kDimension, TensorShapeProto::kDimFieldNumber);
  EXPECT_EQ(dimension_field::kValue, TensorShapeProto::Dimension::kDimValueFieldNumber);
  EXPECT_EQ(dimension_field::kParameter, TensorShapeProto::Dimension::kDimParamFieldNumber);
  EXPECT_EQ(tensor_field::kDims, TensorProto::kDimsFieldNumber);
  EXPECT_EQ(tensor_field::kDataType, TensorProto::kDataTypeFieldNumber);
  EXPECT_EQ(tensor_field::kSegment, TensorProto::kSegmentFieldNumber);
  EXPECT_EQ(tensor_field::kFloatData, TensorProto::kFloatDataFieldNumber);
  EXPECT_EQ(tensor_field::kInt32Data, TensorProto::kInt32DataFieldNumber);
  EXPECT_EQ(tensor_field::kStringData, TensorProto::kStringDataFieldNumber);
  EXPECT_EQ(tensor_field::kInt64Data, TensorProto::kInt64DataFieldNumber);
  EXPECT_EQ(tensor_field::kName, TensorProto::kNameFieldNumber);
  EXPECT_EQ(tensor_field::kRawData, TensorProto::kRawDataFieldNumber);
  EXPECT_EQ(tensor_field::kDoubleData, TensorProto::kDoubleDataFieldNumber);
  EXPECT_EQ(tensor_field::kUint64Data, TensorProto::kUint64DataFieldNumber);
  EXPECT_EQ(tensor_field::kExternalData, TensorProto::kExternalDataFieldNumber);
  EXPECT_EQ(tensor_field::kDataLocation, TensorProto::kDataLocationFieldNumber);
  EXPECT_EQ(sparse_tensor_field::kValues, SparseTensorProto::kValuesFieldNumber);
  EXPECT_EQ(sparse_tensor_field::kIndices, SparseTensorProto::kIndicesFieldNumber);
  EXPECT_EQ(sparse_tensor_field::kDims, SparseTensorProto::kDimsFieldNumber);
  EXPECT_EQ(attribute_field::kName, AttributeProto::kNameFieldNumber);
  EXPECT_EQ(attribute_field::kFloat, AttributeProto::kFFieldNumber);
  EXPECT_EQ(attribute_field::kInt, AttributeProto::kIFieldNumber);
  EXPECT_EQ(attribute_field::kString, AttributeProto::kSFieldNumber);
  EXPECT_EQ(attribute_field::kTensor, AttributeProto::kTFieldNumber);
  EXPECT_EQ(attribute_field::kGraph, AttributeProto::kGFieldNumber);
  EXPECT_EQ(attribute_field::kFloats, AttributeProto::kFloatsFieldNumber);
  EXPECT_EQ(attribute_field::kInts, AttributeProto::kIntsFieldNumber);
  EXPECT_EQ(attribute_field::kStrings, AttributeProto::kStringsFieldNumber);
  EXPECT_EQ(attribute_field::kTensors, AttributeProto::kTensorsFieldNumber);
  EXPECT_EQ(attribute_field::kGraphs, AttributeProto::kGraphsFieldNumber);
  EXPECT_EQ(attribute_field::kType, AttributeProto::kTpFieldNumber);
  EXPECT_EQ(attribute_field::kTypes, AttributeProto::kTypeProtosFieldNumber);
  EXPECT_EQ(attribute_field::kKind, AttributeProto::kTypeFieldNumber);
  EXPECT_EQ(attribute_field::kReferenceName, AttributeProto::kRefAttrNameFieldNumber);
  EXPECT_EQ(attribute_field::kSparse, AttributeProto::kSparseTensorFieldNumber);
  EXPECT_EQ(attribute_field::kSparses, AttributeProto::kSparseTensorsFieldNumber);
  EXPECT_EQ(frontends::entry_field::kKey, StringStringEntryProto::kKeyFieldNumber);
  EXPECT_EQ(frontends::entry_field::kValue, StringStringEntryProto::kValueFieldNumber);
}

}  // namespace
}  // namespace mo::onnx
