#include "frontends/tensorflow/fields.hpp"

#include <gtest/gtest.h>

#include "frontends/common/fields.hpp"
#include "tensorflow.pb.h"

// The readers scan binary messages by number; the protobuf classes know the same numbers from the .proto.
namespace mo::tensorflow {
namespace {

TEST(TensorFlowFields, AreThoseOfTheSchema) {
  EXPECT_EQ(graph_field::kNode, GraphDef::kNodeFieldNumber);
  EXPECT_EQ(graph_field::kLibrary, GraphDef::kLibraryFieldNumber);
  EXPECT_EQ(graph_field::kVersion, GraphDef::kVersionFieldNumber);
  EXPECT_EQ(graph_field::kVersions, GraphDef::kVersionsFieldNumber);
  EXPECT_EQ(node_field::kName, NodeDef::kNameFieldNumber);
  EXPECT_EQ(node_field::kOp, NodeDef::kOpFieldNumber);
  EXPECT_EQ(node_field::kInput, NodeDef::kInputFieldNumber);
  EXPECT_EQ(node_field::kDevice, NodeDef::kDeviceFieldNumber);
  EXPECT_EQ(node_field::kAttribute, NodeDef::kAttrFieldNumber);
  EXPECT_EQ(function_value_field::kName, NameAttrList::kNameFieldNumber);
  EXPECT_EQ(function_value_field::kAttribute, NameAttrList::kAttrFieldNumber);
  EXPECT_EQ(attribute_field::kList, AttrValue::kListFieldNumber);
  EXPECT_EQ(attribute_field::kString, AttrValue::kSFieldNumber);
  EXPECT_EQ(attribute_field::kInteger, AttrValue::kIFieldNumber);
  EXPECT_EQ(attribute_field::kFloat, AttrValue::kFFieldNumber);
  EXPECT_EQ(attribute_field::kBool, AttrValue::kBFieldNumber);
  EXPECT_EQ(attribute_field::kType, AttrValue::kTypeFieldNumber);
  EXPECT_EQ(attribute_field::kShape, AttrValue::kShapeFieldNumber);
  EXPECT_EQ(attribute_field::kTensor, AttrValue::kTensorFieldNumber);
  EXPECT_EQ(attribute_field::kPlaceholder, AttrValue::kPlaceholderFieldNumber);
  EXPECT_EQ(attribute_field::kFunction, AttrValue::kFuncFieldNumber);
  EXPECT_EQ(attribute_field::kString, AttrValue::ListValue::kSFieldNumber);
  EXPECT_EQ(attribute_field::kInteger, AttrValue::ListValue::kIFieldNumber);
  EXPECT_EQ(attribute_field::kFloat, AttrValue::ListValue::kFFieldNumber);
  EXPECT_EQ(attribute_field::kBool, AttrValue::ListValue::kBFieldNumber);
  EXPECT_EQ(attribute_field::kType, AttrValue::ListValue::kTypeFieldNumber);
  EXPECT_EQ(attribute_field::kShape, AttrValue::ListValue::kShapeFieldNumber);
  EXPECT_EQ(attribute_field::kTensor, AttrValue::ListValue::kTensorFieldNumber);
  EXPECT_EQ(attribute_field::kListFunction, AttrValue::ListValue::kFuncFieldNumber);
  EXPECT_EQ(shape_field::kDimension, TensorShapeProto::kDimFieldNumber);
  EXPECT_EQ(shape_field::kUnknownRank, TensorShapeProto::kUnknownRankFieldNumber);
  EXPECT_EQ(dimension_field::kSize, TensorShapeProto::Dim::kSizeFieldNumber);
  EXPECT_EQ(tensor_field::kDataType, TensorProto::kDtypeFieldNumber);
  EXPECT_EQ(tensor_field::kShape, TensorProto::kTensorShapeFieldNumber);
  EXPECT_EQ(tensor_field::kContent, TensorProto::kTensorContentFieldNumber);
  EXPECT_EQ(tensor_field::kFloats, TensorProto::kFloatValFieldNumber);
  EXPECT_EQ(tensor_field::kDoubles, TensorProto::kDoubleValFieldNumber);
  EXPECT_EQ(tensor_field::kInts, TensorProto::kIntValFieldNumber);
  EXPECT_EQ(tensor_field::kStrings, TensorProto::kStringValFieldNumber);
  EXPECT_EQ(tensor_field::kComplexFloats, TensorProto::kScomplexValFieldNumber);
  EXPECT_EQ(tensor_field::kInt64s, TensorProto::kInt64ValFieldNumber);
  EXPECT_EQ(tensor_field::kBools, TensorProto::kBoolValFieldNumber);
  EXPECT_EQ(tensor_field::kComplexDoubles, TensorProto::kDcomplexValFieldNumber);
  EXPECT_EQ(tensor_field::kHalves, TensorProto::kHalfValFieldNumber);
  EXPECT_EQ(tensor_field::kUint32s, TensorProto::kUint32ValFieldNumber);
  EXPECT_EQ(tensor_field::kUint64s, TensorProto::kUint64ValFieldNumber);
  EXPECT_EQ(library_field::kFunction, FunctionDefLibrary::kFunctionFieldNumber);
  EXPECT_EQ(function_field::kSignature, FunctionDef::kSignatureFieldNumber);
  EXPECT_EQ(function_field::kNode, FunctionDef::kNodeDefFieldNumber);
  EXPECT_EQ(function_field::kReturn, FunctionDef::kRetFieldNumber);
  EXPECT_EQ(op_list_field::kOp, OpList::kOpFieldNumber);
  EXPECT_EQ(op_field::kName, OpDef::kNameFieldNumber);
  EXPECT_EQ(op_field::kInput, OpDef::kInputArgFieldNumber);
  EXPECT_EQ(op_field::kOutput, OpDef::kOutputArgFieldNumber);
  EXPECT_EQ(argument_field::kName, OpDef::ArgDef::kNameFieldNumber);
  EXPECT_EQ(argument_field::kType, OpDef::ArgDef::kTypeFieldNumber);
  EXPECT_EQ(argument_field::kCountAttribute, OpDef::ArgDef::kNumberAttrFieldNumber);
  EXPECT_EQ(argument_field::kTypesAttribute, OpDef::ArgDef::kTypeListAttrFieldNumber);
  EXPECT_EQ(version_field::kProducer, VersionDef::kProducerFieldNumber);
  EXPECT_EQ(version_field::kLeastConsumer, VersionDef::kMinConsumerFieldNumber);
  EXPECT_EQ(version_field::kBadConsumers, VersionDef::kBadConsumersFieldNumber);
  EXPECT_EQ(saved_model_field::kSchemaVersion, SavedModel::kSavedModelSchemaVersionFieldNumber);
  EXPECT_EQ(saved_model_field::kMetaGraph, SavedModel::kMetaGraphsFieldNumber);
  EXPECT_EQ(meta_graph_field::kInfo, MetaGraphDef::kMetaInfoDefFieldNumber);
  EXPECT_EQ(meta_graph_field::kGraphDef, MetaGraphDef::kGraphDefFieldNumber);
  EXPECT_EQ(meta_graph_field::kSaver, MetaGraphDef::kSaverDefFieldNumber);
  EXPECT_EQ(saver_field::kRestoreOp, SaverDef::kRestoreOpNameFieldNumber);
  EXPECT_EQ(meta_graph_field::kSignature, MetaGraphDef::kSignatureDefFieldNumber);
  EXPECT_EQ(meta_graph_field::kObjectGraph, MetaGraphDef::kObjectGraphDefFieldNumber);
  EXPECT_EQ(meta_info_field::kOpList, MetaGraphDef::MetaInfoDef::kStrippedOpListFieldNumber);
  EXPECT_EQ(meta_info_field::kTags, MetaGraphDef::MetaInfoDef::kTagsFieldNumber);
  EXPECT_EQ(signature_field::kInputs, SignatureDef::kInputsFieldNumber);
  EXPECT_EQ(signature_field::kOutputs, SignatureDef::kOutputsFieldNumber);
  EXPECT_EQ(tensor_info_field::kName, TensorInfo::kNameFieldNumber);
  EXPECT_EQ(tensor_info_field::kDataType, TensorInfo::kDtypeFieldNumber);
  EXPECT_EQ(tensor_info_field::kShape, TensorInfo::kTensorShapeFieldNumber);
  EXPECT_EQ(tensor_info_field::kSparse, TensorInfo::kCooSparseFieldNumber);
  EXPECT_EQ(sparse_info_field::kValues, TensorInfo::CooSparse::kValuesTensorNameFieldNumber);
  EXPECT_EQ(sparse_info_field::kIndices, TensorInfo::CooSparse::kIndicesTensorNameFieldNumber);
  EXPECT_EQ(sparse_info_field::kDenseShape, TensorInfo::CooSparse::kDenseShapeTensorNameFieldNumber);
  EXPECT_EQ(saved_objects_field::kNode, SavedObjectGraph::kNodesFieldNumber);
  EXPECT_EQ(saved_objects_field::kConcreteFunction, SavedObjectGraph::kConcreteFunctionsFieldNumber);
  EXPECT_EQ(saved_object_field::kChild, SavedObject::kChildrenFieldNumber);
  EXPECT_EQ(concrete_function_field::kBoundInputs, SavedConcreteFunction::kBoundInputsFieldNumber);
  EXPECT_EQ(object_graph_field::kNode, TrackableObjectGraph::kNodesFieldNumber);
  EXPECT_EQ(object_field::kChild, TrackableObjectGraph::TrackableObject::kChildrenFieldNumber);
  EXPECT_EQ(object_field::kAttribute, TrackableObjectGraph::TrackableObject::kAttributesFieldNumber);
  EXPECT_EQ(child_field::kId, TrackableObjectGraph::TrackableObject::ObjectReference::kNodeIdFieldNumber);
  EXPECT_EQ(child_field::kLocalName, TrackableObjectGraph::TrackableObject::ObjectReference::kLocalNameFieldNumber);
  EXPECT_EQ(serialized_field::kName, TrackableObjectGraph::TrackableObject::SerializedTensor::kNameFieldNumber);
  EXPECT_EQ(serialized_field::kFullName, TrackableObjectGraph::TrackableObject::SerializedTensor::kFullNameFieldNumber);
  EXPECT_EQ(serialized_field::kCheckpointKey,
            TrackableObjectGraph::TrackableObject::SerializedTensor::kCheckpointKeyFieldNumber);
  EXPECT_EQ(bundle_header_field::kShardCount, BundleHeaderProto::kNumShardsFieldNumber);
  EXPECT_EQ(bundle_header_field::kByteOrder, BundleHeaderProto::kEndiannessFieldNumber);
  EXPECT_EQ(bundle_header_field::kVersion, BundleHeaderProto::kVersionFieldNumber);
  EXPECT_EQ(bundle_entry_field::kDataType, BundleEntryProto::kDtypeFieldNumber);
  EXPECT_EQ(bundle_entry_field::kShape, BundleEntryProto::kShapeFieldNumber);
  EXPECT_EQ(bundle_entry_field::kShard, BundleEntryProto::kShardIdFieldNumber);
  EXPECT_EQ(bundle_entry_field::kOffset, BundleEntryProto::kOffsetFieldNumber);
  EXPECT_EQ(bundle_entry_field::kSize, BundleEntryProto::kSizeFieldNumber);
  EXPECT_EQ(bundle_entry_field::kCrc, BundleEntryProto::kCrc32CFieldNumber);
  EXPECT_EQ(bundle_entry_field::kSlices, BundleEntryProto::kSlicesFieldNumber);
  EXPECT_EQ(slice_field::kExtent, TensorSliceProto::kExtentFieldNumber);
  EXPECT_EQ(extent_field::kStart, TensorSliceProto::Extent::kStartFieldNumber);
  EXPECT_EQ(extent_field::kLength, TensorSliceProto::Extent::kLengthFieldNumber);
}

}  // namespace
}  // namespace mo::tensorflow
