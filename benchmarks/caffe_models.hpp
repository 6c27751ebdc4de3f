#pragma once

#include <string>

namespace mo::benchmarks {

// Both write the weights to `path` (a .caffemodel) and the network beside it, with the extension .prototxt. Failures
// are printed.

/// ResNet-50 as Caffe has it: BatchNorm and Scale behind every convolution, 100 MB.
bool write_caffe_resnet50(const std::string& path);
/// Inner products of 16 MB each, whose weights stay as they are, 100 MB.
bool write_caffe_inner_product(const std::string& path);

}  // namespace mo::benchmarks
