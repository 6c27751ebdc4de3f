#include "tests/e2e/opencv/comparison.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>

#include "core/comparison/closeness.hpp"
#include "core/execution/executor.hpp"
#include "core/tensor/convert.hpp"
#include "driver/convert.hpp"
#include "frontends/ir/reader.hpp"
#include "tests/support/builtins.hpp"

namespace mo::test {
namespace {

namespace fs = std::filesystem;

/// Noise from a seed, the same on every machine.
class NoiseSource {
 public:
  std::vector<float> make(const Shape& shape, float low, float high) {
    std::vector<float> values(static_cast<std::size_t>(*element_count(shape)));
    for (float& v : values) v = low + (high - low) * next();
    return values;
  }

 private:
  float next() {
    return static_cast<float>((state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL) >> 40) / 16777216.0F;
  }
  std::uint64_t state_ = 42;
};

/// A protobuf message as it is written: as much of the format as a .caffemodel needs.
class MessageWriter {
 public:
  void text(unsigned field, const std::string& value) {
    tag(field);
    varint(value.size());
    bytes_ += value;
  }
  void message(unsigned field, const MessageWriter& value) { text(field, value.bytes_); }
  void packed(unsigned field, const std::vector<float>& values) {
    std::string packed;
    for (const float v : values) {
      const auto bits = std::bit_cast<std::uint32_t>(v);
      for (int shift = 0; shift < 32; shift += 8) packed += static_cast<char>((bits >> shift) & 0xFF);
    }
    text(field, packed);
  }
  void packed(unsigned field, const Shape& dimensions) {
    MessageWriter packed;
    for (const std::int64_t d : dimensions) packed.varint(static_cast<std::uint64_t>(d));
    text(field, packed.bytes_);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void tag(unsigned field) { varint((field << 3) | 2U); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7F) | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

// Field numbers of NetParameter, LayerParameter, BlobProto and BlobShape.
constexpr unsigned kNetName = 1, kNetLayer = 100, kLayerName = 1, kLayerBlobs = 7, kBlobData = 5, kBlobShape = 7,
                   kShapeDim = 1;

/// Layers without blobs need no entry, but a file without layers is refused: "y" is there in any case.
std::string caffemodel(const std::vector<Blob>& blobs) {
  MessageWriter net;
  net.text(kNetName, "test");
  if (blobs.empty()) {
    MessageWriter layer;
    layer.text(kLayerName, "y");
    net.message(kNetLayer, layer);
  }
  for (std::size_t i = 0; i < blobs.size();) {
    MessageWriter layer;
    layer.text(kLayerName, blobs[i].layer);
    for (const std::string name = blobs[i].layer; i < blobs.size() && blobs[i].layer == name; ++i) {
      MessageWriter shape, blob;
      shape.packed(kShapeDim, blobs[i].shape);
      blob.message(kBlobShape, shape);
      blob.packed(kBlobData, blobs[i].values);
      layer.message(kLayerBlobs, blob);
    }
    net.message(kNetLayer, layer);
  }
  return net.bytes();
}

std::string prototxt(const LayerCase& test) {
  std::string text = "name: \"test\"\n";
  for (const Feed& feed : test.inputs) {
    text += fmt::format("input: \"{}\" input_shape {{", feed.name);
    for (const std::int64_t d : feed.shape) text += fmt::format(" dim: {}", d);
    text += " }\n";
  }
  return text + test.layers;
}

/// A folder that goes away.
class Folder {
 public:
  Folder() : path_(fs::path(testing::TempDir()) / ("mo_opencv_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

std::vector<Tensor> run_opencv(cv::dnn::Net net, const LayerCase& test, const std::vector<std::vector<float>>& feeds) {
  net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
  for (std::size_t i = 0; i < feeds.size(); ++i) {
    const std::vector<int> sizes(test.inputs[i].shape.begin(), test.inputs[i].shape.end());
    cv::Mat image(sizes, CV_32F);
    std::copy(feeds[i].begin(), feeds[i].end(), image.ptr<float>());
    net.setInput(image, test.inputs[i].name);
  }
  std::vector<std::vector<cv::Mat>> outputs;
  net.forward(outputs, net.getUnconnectedOutLayersNames());
  std::vector<Tensor> made;
  for (const auto& layer : outputs)
    for (const cv::Mat& blob : layer) {
      Shape shape;
      for (int i = 0; i < blob.dims; ++i) shape.push_back(blob.size[i]);
      const cv::Mat whole = blob.isContinuous() ? blob : blob.clone();
      made.push_back(Tensor::of<float>(std::move(shape), std::span(whole.ptr<float>(), whole.total())));
    }
  return made;
}

Expected<std::vector<Tensor>> run_ir(const Options& options, const LayerCase& test,
                                     const std::vector<std::vector<float>>& feeds) {
  DiagnosticList sink;
  MO_ASSIGN(const Report report, convert(options, sink));
  MO_ASSIGN(const std::unique_ptr<Graph> graph, ir::read_ir(report.xml_path, report.bin_path, builtins().ops(), sink));
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < feeds.size(); ++i) inputs.push_back(Tensor::of<float>(test.inputs[i].shape, feeds[i]));
  return execute(*graph, inputs);
}

/// The rows of a list before its end, in one order.
std::vector<Tensor> rows_of(const Tensor& list) {
  const std::vector<double> numbers = *to_reals(list);
  const auto width = static_cast<std::size_t>(list.shape().empty() ? 1 : list.shape().back());
  std::vector<std::vector<double>> rows;
  for (std::size_t at = 0; at + width <= numbers.size() && numbers[at] >= 0; at += width)
    rows.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(at),
                      numbers.begin() + static_cast<std::ptrdiff_t>(at + width));
  std::sort(rows.begin(), rows.end());
  std::vector<Tensor> made;
  for (const std::vector<double>& row : rows) made.push_back(Tensor::vector(row));
  return made;
}

std::string compare_numbers(const Tensor& got, const Tensor& want) {
  const auto difference = difference_of(got, want, {.relative = 1e-4, .absolute = 1e-6, .scale = Scale::largest});
  if (!difference) return difference.error().first().format();
  if (difference->expected.nans + difference->expected.infinities > 0) return "OpenCV's result is not finite";
  return difference->close() ? "" : difference->to_string();
}

std::string compare(const LayerCase& test, const std::vector<Tensor>& got, const std::vector<Tensor>& want) {
  if (got.size() != test.tops || want.size() < test.tops)
    return fmt::format("{} results, OpenCV has {}, not {}", got.size(), want.size(), test.tops);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!test.is_list) {
      if (const std::string bad = compare_numbers(got[i], want[i]); !bad.empty())
        return fmt::format("result {}: {}", i, bad);
      continue;
    }
    const auto have = rows_of(got[i]);
    const auto wanted = rows_of(want[i]);
    if (have.size() != wanted.size() || have.empty())
      return fmt::format("{} rows instead of {}", have.size(), wanted.size());
    for (std::size_t r = 0; r < have.size(); ++r)
      if (const std::string bad = compare_numbers(have[r], wanted[r]); !bad.empty())
        return fmt::format("row {}: {}", r, bad);
  }
  return "";
}

}  // namespace

std::string compare_with_opencv(const LayerCase& test) {
  NoiseSource noise;
  std::vector<std::vector<float>> feeds;
  for (const Feed& feed : test.inputs)
    feeds.push_back(feed.values.empty() ? noise.make(feed.shape, feed.low, feed.high) : feed.values);
  std::vector<Blob> blobs;
  for (const Weights& weights : test.weights)
    for (const Shape& shape : weights.blobs)
      blobs.push_back({weights.layer, shape, noise.make(shape, weights.low, weights.high)});
  const Folder folder;
  Options options;
  options.framework = "caffe";
  options.caffe.input_proto = folder.write("net.prototxt", prototxt(test));
  options.input_model = folder.write("net.caffemodel", caffemodel(blobs));
  options.output_dir = folder.path();
  const std::vector<Tensor> want = run_opencv(
      test.opencv ? test.opencv(blobs) : cv::dnn::readNetFromCaffe(options.caffe.input_proto, options.input_model),
      test, feeds);
  std::string bad;
  for (const int version : {10, 11}) {
    options.ir_version = version;
    const auto got = run_ir(options, test, feeds);
    std::string why;
    if (got)
      why = compare(test, *got, want);
    else
      for (const Diagnostic& d : got.error().items()) why += d.format() + "\n";
    if (!why.empty()) bad += fmt::format("IR version {}: {}\n", version, why);
  }
  return bad;
}

}  // namespace mo::test
