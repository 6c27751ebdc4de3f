#pragma once

#include <cstdint>

/// Field numbers of the messages of a .caffemodel, as far as they are read: facts of the format (caffe.proto of BVLC
/// Caffe).
namespace mo::caffe {

/// NetParameter.
namespace net_field {
enum Field : std::uint32_t {
  kV1Layers = 2,
  kInput = 3,
  kLayer = 100,
};
}  // namespace net_field

/// LayerParameter.
namespace layer_field {
enum Field : std::uint32_t {
  kName = 1,
  kType = 2,
  kBottom = 3,
  kTop = 4,
  kBlobs = 7,
  kFirstParameters = 100,  ///< messages with parameters of layers have this number and larger ones
};
}  // namespace layer_field

/// V1LayerParameter.
namespace v1_layer_field {
enum Field : std::uint32_t {
  kV0Layer = 1,
  kBottom = 2,
  kTop = 3,
  kName = 4,
  kType = 5,
  kBlobs = 6,
  kBlobsRate = 7,
  kWeightDecay = 8,
  kInclude = 32,
  kExclude = 33,
  kLossWeight = 35,
  kShared = 1001,
  kShareMode = 1002,
};
}  // namespace v1_layer_field

/// V0LayerParameter.
namespace v0_layer_field {
enum Field : std::uint32_t {
  kName = 1,
  kType = 2,
  kBlobs = 50,
  kBlobsRate = 51,
  kWeightDecay = 52,
};
}  // namespace v0_layer_field

/// BlobProto.
namespace blob_field {
enum Field : std::uint32_t {
  kNum = 1,
  kChannels = 2,
  kHeight = 3,
  kWidth = 4,
  kData = 5,
  kDiff = 6,
  kShape = 7,
  kDoubleData = 8,
  kDoubleDiff = 9,
  kRawData = 12,
};
}  // namespace blob_field

/// BlobShape.
namespace blob_shape_field {
enum Field : std::uint32_t {
  kDim = 1,
};
}  // namespace blob_shape_field

}  // namespace mo::caffe
