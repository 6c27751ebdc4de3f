#include "benchmarks/caffe_writer.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace mo::benchmarks {
namespace {

using namespace wire;  // NOLINT: the encoding is all that this file is about

// Field numbers of Caffe's messages.
namespace caffe_field {
constexpr int net_name = 1, net_layer = 100;
constexpr int layer_name = 1, layer_type = 2, layer_blob = 7;
constexpr int blob_data = 5, blob_shape = 7, shape_dim = 1;
}  // namespace caffe_field

}  // namespace

CaffeWriter::CaffeWriter(const std::string& path)
    : path_(path), text_("name: \"generated\"\n"), weights_(std::fopen(path.c_str(), "wb")) {
  std::string head;
  text(head, caffe_field::net_name, "generated");
  good_ = weights_ && put(weights_.get(), head.data(), head.size());
}

std::string CaffeWriter::input(std::string_view name, const std::vector<std::int64_t>& dims) {
  std::string shape;
  for (const std::int64_t dim : dims) shape += fmt::format(" dim: {}", dim);
  text_ += fmt::format("layer {{ name: \"{0}\" type: \"Input\" top: \"{0}\" input_param {{ shape {{{1} }} }} }}\n",
                       name, shape);
  return std::string(name);
}

std::string CaffeWriter::layer(std::string_view type, std::string_view name,
                               const std::vector<std::string_view>& bottoms, std::string_view parameters,
                               const std::vector<CaffeBlob>& blobs, std::string_view top) {
  if (top.empty()) top = name;
  text_ += fmt::format("layer {{ name: \"{}\" type: \"{}\"", name, type);
  for (const std::string_view bottom : bottoms) text_ += fmt::format(" bottom: \"{}\"", bottom);
  text_ += fmt::format(" top: \"{}\" {} }}\n", top, parameters);
  if (blobs.empty()) return std::string(top);

  std::string message;
  text(message, caffe_field::layer_name, name);
  text(message, caffe_field::layer_type, type);
  std::vector<std::string> heads;
  std::uint64_t size = message.size();
  for (const CaffeBlob& blob : blobs) {
    std::uint64_t bytes = sizeof(float);
    std::string dims;
    for (const std::int64_t dim : blob.dims) {
      varint(dims, static_cast<std::uint64_t>(dim));
      bytes *= static_cast<std::uint64_t>(dim);
    }
    std::string shape;
    text(shape, caffe_field::shape_dim, dims);
    std::string inner;
    text(inner, caffe_field::blob_shape, shape);
    length(inner, caffe_field::blob_data, bytes);
    std::string head;
    length(head, caffe_field::layer_blob, inner.size() + bytes);
    heads.push_back(head + inner);
    size += heads.back().size() + bytes;
  }
  std::string head;
  length(head, caffe_field::net_layer, size);
  head += message;
  good_ = good_ && put(weights_.get(), head.data(), head.size());
  for (std::size_t i = 0; i < blobs.size(); ++i) {
    std::uint64_t bytes = sizeof(float);
    for (const std::int64_t dim : blobs[i].dims) bytes *= static_cast<std::uint64_t>(dim);
    good_ = good_ && put(weights_.get(), heads[i].data(), heads[i].size()) &&
            put_noise(weights_.get(), bytes, blobs[i].spread, blobs[i].centre, seed_++ << 32);
  }
  return std::string(top);
}

bool CaffeWriter::finish() {
  good_ = weights_ && std::fclose(weights_.release()) == 0 && good_;
  const FilePtr net(std::fopen(std::filesystem::path(path_).replace_extension(".prototxt").c_str(), "wb"));
  good_ = net && put(net.get(), text_.data(), text_.size()) && good_;
  if (!good_) std::fprintf(stderr, "cannot write \"%s\": %s\n", path_.c_str(), std::strerror(errno));
  return good_;
}

}  // namespace mo::benchmarks
