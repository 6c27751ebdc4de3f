#pragma once

#include <cstddef>
#include <cstdint>

/// Field numbers of the messages of a TensorFlow model and its checkpoints, as far as they are read;
/// tests/frontends/tensorflow/fields_test.cpp compares them with tensorflow.proto.
namespace mo::tensorflow {

/// Of a tensor and its shape: TensorShape::MaxDimensions.
inline constexpr std::size_t kMostDimensions = 254;

/// GraphDef.
namespace graph_field {
enum Field : std::uint32_t {
  kNode = 1,
  kLibrary = 2,
  kVersion = 3,
  kVersions = 4,
};
}  // namespace graph_field

/// NodeDef.
namespace node_field {
enum Field : std::uint32_t {
  kName = 1,
  kOp = 2,
  kInput = 3,
  kDevice = 4,
  kAttribute = 5,
};
}  // namespace node_field

/// NameAttrList.
namespace function_value_field {
enum Field : std::uint32_t {
  kName = 1,
  kAttribute = 2,
};
}  // namespace function_value_field

/// AttrValue; its ListValue has the numbers from kString to kTensor, and kListFunction.
namespace attribute_field {
enum Field : std::uint32_t {
  kList = 1,
  kString = 2,
  kInteger = 3,
  kFloat = 4,
  kBool = 5,
  kType = 6,
  kShape = 7,
  kTensor = 8,
  kPlaceholder = 9,
  kListFunction = 9,
  kFunction = 10,
};
}  // namespace attribute_field

/// TensorShapeProto.
namespace shape_field {
enum Field : std::uint32_t {
  kDimension = 2,
  kUnknownRank = 3,
};
}  // namespace shape_field

/// TensorShapeProto.Dim.
namespace dimension_field {
enum Field : std::uint32_t {
  kSize = 1,
};
}  // namespace dimension_field

/// TensorProto.
namespace tensor_field {
enum Field : std::uint32_t {
  kDataType = 1,
  kShape = 2,
  kContent = 4,
  kFloats = 5,
  kDoubles = 6,
  kInts = 7,
  kStrings = 8,
  kComplexFloats = 9,
  kInt64s = 10,
  kBools = 11,
  kComplexDoubles = 12,
  kHalves = 13,
  kUint32s = 16,
  kUint64s = 17,
};
}  // namespace tensor_field

/// FunctionDefLibrary.
namespace library_field {
enum Field : std::uint32_t {
  kFunction = 1,
};
}  // namespace library_field

/// FunctionDef.
namespace function_field {
enum Field : std::uint32_t {
  kSignature = 1,
  kNode = 3,
  kReturn = 4,
  kControlReturn = 6,
};
}  // namespace function_field

/// OpList.
namespace op_list_field {
enum Field : std::uint32_t {
  kOp = 1,
};
}  // namespace op_list_field

/// OpDef.
namespace op_field {
enum Field : std::uint32_t {
  kName = 1,
  kInput = 2,
  kOutput = 3,
};
}  // namespace op_field

/// OpDef.ArgDef.
namespace argument_field {
enum Field : std::uint32_t {
  kName = 1,
  kType = 3,
  kCountAttribute = 5,
  kTypesAttribute = 6,
};
}  // namespace argument_field

/// VersionDef.
namespace version_field {
enum Field : std::uint32_t {
  kProducer = 1,
  kLeastConsumer = 2,
  kBadConsumers = 3,
};
}  // namespace version_field

/// SavedModel.
namespace saved_model_field {
enum Field : std::uint32_t {
  kSchemaVersion = 1,
  kMetaGraph = 2,
};
}  // namespace saved_model_field

/// MetaGraphDef.
namespace meta_graph_field {
enum Field : std::uint32_t {
  kInfo = 1,
  kGraphDef = 2,
  kSaver = 3,
  kCollection = 4,
  kSignature = 5,
  kAsset = 6,
  kObjectGraph = 7,
};
}  // namespace meta_graph_field

/// SaverDef.
namespace saver_field {
enum Field : std::uint32_t {
  kFilename = 1,
  kSaveTensor = 2,
  kRestoreOp = 3,
};
}  // namespace saver_field

/// CollectionDef.
namespace collection_field {
enum Field : std::uint32_t {
  kNodes = 1,
};
}  // namespace collection_field

/// CollectionDef.NodeList.
namespace node_list_field {
enum Field : std::uint32_t {
  kValue = 1,
};
}  // namespace node_list_field

/// AssetFileDef.
namespace asset_field {
enum Field : std::uint32_t {
  kTensor = 1,
};
}  // namespace asset_field

/// MetaGraphDef.MetaInfoDef.
namespace meta_info_field {
enum Field : std::uint32_t {
  kOpList = 2,
  kTags = 4,
};
}  // namespace meta_info_field

/// SignatureDef.
namespace signature_field {
enum Field : std::uint32_t {
  kInputs = 1,
  kOutputs = 2,
};
}  // namespace signature_field

/// TensorInfo.
namespace tensor_info_field {
enum Field : std::uint32_t {
  kName = 1,
  kDataType = 2,
  kShape = 3,
  kSparse = 4,
};
}  // namespace tensor_info_field

/// TensorInfo.CooSparse.
namespace sparse_info_field {
enum Field : std::uint32_t {
  kValues = 1,
  kIndices = 2,
  kDenseShape = 3,
};
}  // namespace sparse_info_field

/// SavedObjectGraph.
namespace saved_objects_field {
enum Field : std::uint32_t {
  kNode = 1,
  kConcreteFunction = 2,
};
}  // namespace saved_objects_field

/// SavedObject.
namespace saved_object_field {
enum Field : std::uint32_t {
  kChild = 1,
};
}  // namespace saved_object_field

/// SavedConcreteFunction.
namespace concrete_function_field {
enum Field : std::uint32_t {
  kBoundInputs = 2,
};
}  // namespace concrete_function_field

/// TrackableObjectGraph.
namespace object_graph_field {
enum Field : std::uint32_t {
  kNode = 1,
};
}  // namespace object_graph_field

/// TrackableObject.
namespace object_field {
enum Field : std::uint32_t {
  kChild = 1,
  kAttribute = 2,
};
}  // namespace object_field

/// TrackableObject.ObjectReference.
namespace child_field {
enum Field : std::uint32_t {
  kId = 1,
  kLocalName = 2,
};
}  // namespace child_field

/// TrackableObject.SerializedTensor.
namespace serialized_field {
enum Field : std::uint32_t {
  kName = 1,
  kFullName = 2,
  kCheckpointKey = 3,
};
}  // namespace serialized_field

/// BundleHeaderProto.
namespace bundle_header_field {
enum Field : std::uint32_t {
  kShardCount = 1,
  kByteOrder = 2,
  kVersion = 3,
};
}  // namespace bundle_header_field

/// BundleEntryProto.
namespace bundle_entry_field {
enum Field : std::uint32_t {
  kDataType = 1,
  kShape = 2,
  kShard = 3,
  kOffset = 4,
  kSize = 5,
  kCrc = 6,
  kSlices = 7,
};
}  // namespace bundle_entry_field

/// TensorSliceProto.
namespace slice_field {
enum Field : std::uint32_t {
  kExtent = 1,
};
}  // namespace slice_field

/// TensorSliceProto.Extent.
namespace extent_field {
enum Field : std::uint32_t {
  kStart = 1,
  kLength = 2,
};
}  // namespace extent_field

/// SavedTensorSlices, the records of a V1 checkpoint; tensorflow.proto leaves them out.
namespace saved_slices_field {
enum Field : std::uint32_t {
  kMeta = 1,
  kData = 2,
};
}  // namespace saved_slices_field

/// SavedTensorSliceMeta.
namespace slices_meta_field {
enum Field : std::uint32_t {
  kTensor = 1,
};
}  // namespace slices_meta_field

/// SavedSliceMeta.
namespace slice_meta_field {
enum Field : std::uint32_t {
  kName = 1,
  kShape = 2,
  kDataType = 3,
  kSlice = 4,
};
}  // namespace slice_meta_field

/// SavedSlice.
namespace saved_slice_field {
enum Field : std::uint32_t {
  kName = 1,
  kData = 3,
};
}  // namespace saved_slice_field

}  // namespace mo::tensorflow
