#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/wire_writer.hpp"

namespace mo::benchmarks {

/// One f32 blob of noise.
struct CaffeBlob {
  std::vector<std::int64_t> dims;
  float spread = 0.1F;
  float centre = 0;
};

/// Writes a network as two files: its text beside the weights, as Caffe does. Failures are kept and told by `finish`.
class CaffeWriter {
 public:
  explicit CaffeWriter(const std::string& path);

  std::string input(std::string_view name, const std::vector<std::int64_t>& dims);
  /// A layer with one top of its own name (or `top`, for layers in place); gives the top. `parameters`: text of the
  /// message, such as "pooling_param { pool: MAX }".
  std::string layer(std::string_view type, std::string_view name, const std::vector<std::string_view>& bottoms,
                    std::string_view parameters = {}, const std::vector<CaffeBlob>& blobs = {},
                    std::string_view top = {});

  /// Says whether all was written; prints why not.
  bool finish();

 private:
  std::string path_;
  std::string text_;
  wire::FilePtr weights_;
  bool good_ = true;
  std::uint64_t seed_ = 1;
};

}  // namespace mo::benchmarks
