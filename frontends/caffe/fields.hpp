#pragma once

#include <cstdint>

/// Field numbers of the messages of a .caffemodel, as far as they are read: facts of the format (caffe.proto of BVLC Caffe).
namespace mo::caffe {

/// NetParameter.
namespace net_field {
enum Field : std::uint32_t {
  kV1Layers = 2,
  kLayer = 100,
};
}  // namespace net_field

/// LayerParameter.
namespace layer_field {
enum Field : std::uint32_t {
  kName = 1,
  kBlobs = 7,
};
}  // namespace layer_field

/// V1LayerParameter.
namespace v1_layer_field {
enum Field : std::uint32_t {
  kV0Layer = 1,
  kName = 4,
  kBlobs = 6,
};
}  // namespace v1_layer_field

/// V0LayerParameter.
namespace v0_layer_field {
enum Field : std::uint32_t {
  kName = 1,
  kBlobs = 50,
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
  kShape = 7,
  kDoubleData = 8,
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
