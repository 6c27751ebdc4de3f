#pragma once

#include <cstdint>
#include <string>

namespace mo::benchmarks {

/// ResNet-50 as TensorFlow 1 freezes it: NHWC, SAME padding, FusedBatchNormV3 behind every convolution; 100 MB, batch
/// unknown.
bool write_tensorflow_resnet50(const std::string& path);

/// A convolution and then `nodes` elementwise nodes on its NHWC result, each fifth one with a constant per channel as
/// second operand.
bool write_tensorflow_chain(const std::string& path, std::int64_t nodes);

/// Dense layers whose weights are variables: the GraphDef at `path`, 400 MB of values in a checkpoint of four shards at
/// `<path>.ckpt`.
bool write_tensorflow_checkpoint(const std::string& path);

}  // namespace mo::benchmarks
