#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "frontends/caffe/ops/support/layer_checks.hpp"

/// Further checks of layers: counts of bottoms, tops and blobs, and the numbers of a sliding window.
namespace mo::caffe {

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

/// Error MO-CAFFE-0200 unless the layer has this many bottoms.
inline Expected<void> expect_bottoms(const Layer& layer, std::size_t count) {
  return expect_bottoms(layer, count, count);
}

/// Error MO-CAFFE-0100, or MO-FRONT-0006 when one is not connected.
inline Expected<void> expect_bottoms_from(const Layer& layer, std::size_t least) {
  if (layer.bottoms() >= least) return layer.node().expect_inputs(layer.bottoms());
  return layer.error("MO-CAFFE-0100", "the layer has {} bottoms, it needs at least {}", layer.bottoms(), least)
      .hint("correct the prototxt");
}

/// Error MO-CAFFE-0101.
inline Expected<void> expect_blobs(const Layer& layer, std::size_t least, std::size_t most) {
  if (layer.blobs() >= least && layer.blobs() <= most) return {};
  return layer.error("MO-CAFFE-0101", "the layer has {} blobs of weights", layer.blobs())
      .hint("it takes {} to {}; the prototxt and the caffemodel belong together", least, most);
}

/// Error MO-CAFFE-0105.
inline Expected<void> expect_tops(const Layer& layer, std::size_t least, std::size_t most) {
  const std::size_t tops = layer.node().output_count();
  if (tops >= least && tops <= most) return {};
  return layer.error("MO-CAFFE-0105", "the layer has {} tops", tops)
      .hint("it has {}; correct the prototxt", most == kAnyNumber ? fmt::format("at least {}", least)
                                               : least == most    ? std::to_string(least)
                                                                  : fmt::format("{} to {}", least, most));
}
inline Expected<void> expect_tops(const Layer& layer, std::size_t count) { return expect_tops(layer, count, count); }

/// Error MO-CAFFE-0104: an enumerator or number that the layer does not know.
template <class T>
[[nodiscard]] Diagnostic bad_value(const Layer& layer, std::string_view path, const T& value,
                                   std::string_view allowed) {
  return layer.error("MO-CAFFE-0104", "{} is {}", path, value).hint("it is {}", allowed);
}

/// Error MO-CAFFE-0102 for a number outside of [least, 2^31).
inline Expected<void> expect_size(const Layer& layer, std::string_view path, std::int64_t number, std::int64_t least) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
  if (number >= least && number <= kLargest) return {};
  return layer.error("MO-CAFFE-0102", "{} is {}, which is outside of [{}, {}]", path, number, least, kLargest)
      .hint("correct the prototxt");
}

inline Expected<std::int64_t> size_of(const Layer& layer, std::string_view path, std::int64_t fallback,
                                      std::int64_t least = 1) {
  const std::int64_t number = layer.integer(path, fallback);
  MO_TRY(expect_size(layer, path, number, least));
  return number;
}

/// The numbers of a window for each axis: `message.list` for any number of axes (one number: all axes), or
/// `message.single_h` and `message.single_w` for two. Caffe: the pair wins where it is given; zeros in both, which some
/// tools write, mean unset when zero is not a valid value. Empty when the model does not specify any.
inline Expected<std::vector<std::int64_t>> window_numbers(const Layer& layer, std::string_view message,
                                                          std::string_view list, std::string_view single,
                                                          std::int64_t least) {
  const std::string height = fmt::format("{}.{}_h", message, single);
  const std::string width = fmt::format("{}.{}_w", message, single);
  const std::string all = fmt::format("{}.{}", message, list);
  if (layer.has(height) || layer.has(width)) {
    const std::int64_t h = layer.integer(height, 0);
    const std::int64_t w = layer.integer(width, 0);
    if (h != 0 || w != 0 || least <= 0) {
      MO_TRY(expect_size(layer, height, h, least));
      MO_TRY(expect_size(layer, width, w, least));
      layer.node().ignore({all}, "Caffe takes the values for height and width where both are given");
      return std::vector<std::int64_t>{h, w};
    }
  }
  std::vector<std::int64_t> numbers = layer.integers(all);
  for (const std::int64_t number : numbers) MO_TRY(expect_size(layer, all, number, least));
  return numbers;
}

}  // namespace mo::caffe
