#include "phases/middle/mean_image.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"

namespace mo::phases {

Expected<Tensor> negated_part(const MeanImage& mean, const Node& input, bool reversed) {
  const PartialShape& shape = input.output().type().shape;
  const Shape& from = mean.image.shape();
  MO_ASSERT(from.size() == 3 && mean.image.element_type() == ElementType::f32,
            "a mean image is f32[channels,height,width]");
  const bool is_image =
      shape.has_rank() && shape.size() == 4 && shape[1].is_known() && shape[2].is_known() && shape[3].is_known();
  if (!is_image || shape[1].value() > from[0] || shape[2].value() > from[1] || shape[3].value() > from[2])
    return input
        .error("MO-PRE-0008", "--mean_file: the mean image is {}, input '{}' is {}", to_string(from), input.name(),
               shape.to_string())
        .hint(
            "the input has four dimensions of known size and is not larger than the mean image; set its shape with "
            "--input_shape");
  const std::int64_t channels = shape[1].value();
  const std::int64_t height = shape[2].value();
  const std::int64_t width = shape[3].value();
  const auto [row, column] = mean.offsets.value_or(std::pair((from[1] - height) / 2, (from[2] - width) / 2));
  if (row < 0 || column < 0 || row > from[1] - height || column > from[2] - width)
    return input
        .error("MO-PRE-0009",
               "--mean_file_offsets: an image of {}x{} at row {}, column {} is not inside of the mean image of {}x{}",
               height, width, row, column, from[1], from[2])
        .hint("leave the option out to take the middle of the mean image");
  MO_ASSIGN(const Tensor image, mean.image.load());
  MO_ASSIGN(Tensor part, Tensor::allocate(ElementType::f32, {1, channels, height, width}));
  const auto source = image.values<float>();
  const auto out = part.mutable_values<float>();
  std::size_t done = 0;
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t y = 0; y < height; ++y) {
      const std::int64_t channel = reversed ? channels - 1 - c : c;
      const auto line = source.subspan(static_cast<std::size_t>((channel * from[1] + row + y) * from[2] + column),
                                       static_cast<std::size_t>(width));
      std::transform(line.begin(), line.end(), out.begin() + static_cast<std::ptrdiff_t>(done),
                     [](float v) { return -v; });
      done += line.size();
    }
  return convert(part, input.output().type().element_type);
}

}  // namespace mo::phases
