#pragma once

#include <cmath>
#include <string_view>

#include "frontends/caffe/layer.hpp"

/// What extractors and translators ask of a layer before they believe it.
namespace mo::caffe {

/// Error MO-CAFFE-0200 unless the layer has `least` to `most` bottoms, MO-FRONT-0006 when one is not connected.
inline Expected<void> expect_bottoms(const Layer& layer, std::size_t least, std::size_t most) {
  if (layer.bottoms() >= least && layer.bottoms() <= most) return layer.node().expect_inputs(layer.bottoms());
  return layer.error("MO-CAFFE-0200", "the layer has {} bottoms", layer.bottoms())
      .hint("it takes {} to {} bottoms; check the prototxt", least, most);
}

/// Error MO-CAFFE-0201 unless the model has `count` blobs of weights for the layer.
inline Expected<void> expect_blobs(const Layer& layer, std::size_t count) {
  if (layer.blobs() == count) return {};
  return layer.error("MO-CAFFE-0201", "the layer has {} blobs of weights", layer.blobs())
      .hint("it takes {}; the prototxt and the caffemodel belong together", count);
}

/// A whole number of a parameter. Error MO-CAFFE-0202 unless it is in [least, most].
inline Expected<std::int64_t> integer_in(const Layer& layer, std::string_view path, std::int64_t fallback,
                                         std::int64_t least, std::int64_t most) {
  const std::int64_t number = layer.integer(path, fallback);
  if (number >= least && number <= most) return number;
  return layer.error("MO-CAFFE-0202", "{} is {}", path, number)
      .hint("it is a whole number from {} to {}; check the prototxt", least, most);
}

/// Numbers that count elements or pixels: more than any network has, small enough to calculate with.
inline constexpr std::int64_t kLargestSize = std::int64_t{1} << 24;

/// A real number of a parameter. Error MO-CAFFE-0203 for infinity and NaN.
inline Expected<double> finite_real(const Layer& layer, std::string_view path, double fallback) {
  const double number = layer.real(path, fallback);
  if (std::isfinite(number)) return number;
  return layer.error("MO-CAFFE-0203", "{} is {}", path, number).hint("check the prototxt");
}

inline Expected<std::vector<double>> finite_reals(const Layer& layer, std::string_view path) {
  std::vector<double> numbers = layer.reals(path);
  for (const double number : numbers)
    if (!std::isfinite(number))
      return layer.error("MO-CAFFE-0203", "{} is {}", path, number).hint("check the prototxt");
  return numbers;
}

/// The same, all of them above 0.
inline Expected<std::vector<double>> positive_reals(const Layer& layer, std::string_view path) {
  MO_ASSIGN(std::vector<double> numbers, finite_reals(layer, path));
  for (const double number : numbers)
    if (!(number > 0))
      return layer.error("MO-CAFFE-0202", "{} is {}", path, number).hint("it is above 0; check the prototxt");
  return numbers;
}

}  // namespace mo::caffe
