#pragma once

#include <functional>
#include <opencv2/dnn.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "core/tensor/tensor.hpp"

/// One small Caffe net, run by OpenCV's DNN module and as converted IR.
namespace mo::test {

/// An input of the net: the given values, or noise.
struct Feed {
  std::string name;
  Shape shape;
  float low = -1;
  float high = 1;
  std::vector<float> values;
};

/// The blobs of a layer, filled with noise.
struct Weights {
  std::string layer;
  std::vector<Shape> blobs;
  float low = -1;
  float high = 1;
};

/// The weights that were made, by layer, for nets that OpenCV is given directly.
struct Blob {
  std::string layer;
  Shape shape;
  std::vector<float> values;
};

struct LayerCase {
  std::string name;
  std::vector<Feed> inputs;
  std::string layers;  ///< prototxt after the inputs
  std::vector<Weights> weights;
  /// How OpenCV is told about a layer that its own reader of Caffe files does not know; none: it reads the same files.
  std::function<cv::dnn::Net(const std::vector<Blob>&)> opencv;
  /// The result is rows that end where the first number is -1, and their order does not matter (detections, regions).
  bool is_list = false;
  /// OpenCV gives tops that the prototxt does not name (the mask of Pooling, the scores of Proposal): only the first
  /// ones are compared.
  std::size_t tops = 1;
};

/// What the test runner shows of a case that fails.
inline void PrintTo(const LayerCase& test, std::ostream* out) { *out << test.layers; }

/// Why both do not agree, in both IR versions; empty when they do.
std::string compare_with_opencv(const LayerCase& test);

}  // namespace mo::test
