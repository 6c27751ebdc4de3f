#include "ops/build/convolution.hpp"

#include "ops/build/tensors.hpp"
#include "ops/concat.hpp"
#include "ops/convolution.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"

namespace mo::build {

Value grouped_filters(Rewriter& rw, const Value& filters, std::int64_t groups, std::size_t spatial_rank) {
  if (const auto shape = type_of(filters).shape.to_shape(); shape && !shape->empty()) {
    std::vector<std::int64_t> target = {groups, -1};
    target.insert(target.end(), shape->begin() + 1, shape->end());
    return rw.create(ops::Reshape{}, filters, rw.integers(target));
  }
  std::vector<std::int64_t> rest;
  for (std::size_t i = 1; i < spatial_rank + 2; ++i) rest.push_back(static_cast<std::int64_t>(i));
  const Value sizes = rw.create(ops::Gather{}, shape_of(rw, filters), rw.integers(rest), rw.scalar<std::int64_t>(0));
  return rw.create(ops::Reshape{}, filters, rw.create(ops::Concat{.axis = 0}, rw.integers({groups, -1}), sizes));
}

Value convolve(Rewriter& rw, const Value& data, const Value& filters, const Window& window, std::int64_t groups) {
  if (groups == 1)
    return rw.create(ops::Convolution{.strides = window.strides,
                                      .pads_begin = window.pads_begin,
                                      .pads_end = window.pads_end,
                                      .dilations = window.dilations,
                                      .auto_pad = window.auto_pad},
                     data, filters);
  return rw.create(ops::GroupConvolution{.strides = window.strides,
                                         .pads_begin = window.pads_begin,
                                         .pads_end = window.pads_end,
                                         .dilations = window.dilations,
                                         .auto_pad = window.auto_pad},
                   data, grouped_filters(rw, filters, groups, window.spatial_rank()));
}

}  // namespace mo::build
