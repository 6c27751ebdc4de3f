#include "transformations/support/sliding_window.hpp"

#include <algorithm>

namespace mo::transformations {

std::optional<std::vector<Dimension>> spatial_dimensions(const PartialShape& shape, DataLayout layout,
                                                         std::size_t count) {
  if (!shape.has_rank() || shape.size() != count + 2) return std::nullopt;
  const std::size_t first = data_axes(layout, shape.size()).first;
  return std::vector<Dimension>(shape.begin() + static_cast<std::ptrdiff_t>(first),
                                shape.begin() + static_cast<std::ptrdiff_t>(first + count));
}

std::optional<std::vector<std::int64_t>> kernel_of(const Value& filters, bool grouped) {
  const PartialShape& shape = filters.type().shape;
  const std::size_t first = grouped ? 3 : 2;
  if (!shape.has_rank() || shape.size() <= first) return std::nullopt;
  std::vector<std::int64_t> kernel;
  for (std::size_t i = first; i < shape.size(); ++i) {
    if (!shape[i].is_known() || shape[i].value() < 1) return std::nullopt;
    kernel.push_back(shape[i].value());
  }
  return kernel;
}

std::optional<std::vector<std::int64_t>> per_axis(const std::vector<std::int64_t>& list, std::size_t count,
                                                  std::int64_t usual) {
  if (list.empty()) return std::vector<std::int64_t>(count, usual);
  return list.size() == count ? std::optional(list) : std::nullopt;
}

std::optional<Pads> pads_of(const ops::WindowAttributes& window, const std::vector<std::int64_t>& kernel,
                            const std::vector<Dimension>& data) {
  using ops::AutoPad;
  const std::size_t count = kernel.size();
  const auto strides = per_axis(window.strides, count, 1);
  const auto dilations = per_axis(window.dilations, count, 1);
  const auto begin = per_axis(window.pads_begin, count, 0);
  const auto end = per_axis(window.pads_end, count, 0);
  if (!strides || !dilations || data.size() != count) return std::nullopt;
  if (window.auto_pad == AutoPad::valid)
    return Pads{std::vector<std::int64_t>(count, 0), std::vector<std::int64_t>(count, 0)};
  if (window.auto_pad == AutoPad::explicit_pads) return begin && end ? std::optional(Pads{*begin, *end}) : std::nullopt;
  Pads pads;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t stride = (*strides)[i];
    const std::int64_t span = ops::dilated(kernel[i], (*dilations)[i]);
    // With a stride of 1 the result is as long as the data, whatever that is.
    if (stride < 1 || (stride != 1 && !data[i].is_known())) return std::nullopt;
    const std::int64_t length = data[i].is_known() ? data[i].value() : 1;
    const std::int64_t positions = stride == 1 ? length : Dimension(length).ceil_div(stride).value();
    const std::int64_t total = std::max<std::int64_t>(0, (positions - 1) * stride + span - length);
    const std::int64_t smaller = total / 2;
    pads.begin.push_back(window.auto_pad == AutoPad::same_upper ? smaller : total - smaller);
    pads.end.push_back(total - pads.begin.back());
  }
  return pads;
}

}  // namespace mo::transformations
