#include "transformations/support/torch_pooling.hpp"

#include <algorithm>

#include "ops/concat.hpp"
#include "ops/gather.hpp"
#include "ops/pad.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/op_versions/older_classes.hpp"

namespace mo::transformations {
namespace {

using Integers = std::vector<std::int64_t>;

bool has_number(const Integers& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](std::int64_t n) { return n != 0; });
}

/// Rounding up may give a window that begins in the end padding, which `ceil_torch` leaves out.
bool may_begin_in_padding(std::int64_t kernel, std::int64_t stride, std::int64_t pad_end) {
  return stride + pad_end > kernel;
}

/// Attributes for each spatial dimension, and explicit padding.
bool has_all_attributes(const ops::SlidingWindow& op) {
  const std::size_t spatial = op.kernel.size();
  return spatial >= 1 && spatial <= 3 && op.strides.size() == spatial && op.pads_begin.size() == spatial &&
         op.pads_end.size() == spatial && op.auto_pad == ops::AutoPad::explicit_pads;
}

/// The windows that begin before the end padding: result[:, :, :(size + pads_begin - 1) / stride + 1 …] of the data's
/// spatial sizes.
Value without_windows_of_padding(Rewriter& rw, const Value& result, const Value& data, const ops::SlidingWindow& op,
                                 const Integers& is_cut) {
  const std::size_t rank = is_cut.size();
  Integers places;
  Integers before;
  for (std::size_t i = 2; i < rank; ++i) {
    places.push_back(static_cast<std::int64_t>(i));
    before.push_back(op.pads_begin[i - 2] - 1);
  }
  const Value sizes =
      rw.create(ops::v1::Gather{}, rw.create(ops::ShapeOf{}, data), rw.integers(places), rw.scalar<std::int64_t>(0));
  const Value last = rw.create(ops::Divide{.m_pythondiv = false}, rw.create(ops::Add{}, sizes, rw.integers(before)),
                               rw.integers(op.strides));
  const Value counts = rw.create(ops::Add{}, last, rw.integers(Integers(rank - 2, 1)));
  ops::StridedSlice slice;
  slice.begin_mask.assign(rank, 1);
  for (const std::int64_t cut : is_cut) slice.end_mask.push_back(1 - cut);
  return rw.create(std::move(slice), result, rw.integers(Integers(rank, 0)),
                   rw.create(ops::Concat{.axis = 0}, rw.integers({0, 0}), counts), rw.integers(Integers(rank, 1)));
}

/// `made`, which rounds up, without the windows that `node` has not.
Outputs as_many_windows(const Node& node, const Node& made, const ops::SlidingWindow& op, const Integers& dilations,
                        Rewriter& rw) {
  const std::size_t rank = op.kernel.size() + 2;
  const PartialShape wanted = node.output_type().shape;
  const PartialShape found = made.output_type().shape;
  Integers is_cut(rank, 0);
  for (std::size_t i = 2; i < rank; ++i) {
    const bool is_known = wanted.has_rank() && found.has_rank() && wanted[i].is_known() && wanted[i] == found[i];
    const std::int64_t kernel = (op.kernel[i - 2] - 1) * (dilations.empty() ? 1 : dilations[i - 2]) + 1;
    is_cut[i] = !is_known && may_begin_in_padding(kernel, op.strides[i - 2], op.pads_end[i - 2]) ? 1 : 0;
  }
  Outputs outputs;
  for (std::size_t i = 0; i < made.out_port_count(); ++i)
    outputs.push_back(has_number(is_cut) ? without_windows_of_padding(rw, made.output(i), node.input(0), op, is_cut)
                                         : made.output(i));
  return outputs;
}

}  // namespace

Value average_of_padded(const Node& node, const ops::v14::AvgPool& op, Rewriter& rw) {
  const std::size_t rank = op.kernel.size() + 2;
  const auto of_rank = [&](const PartialShape& shape) {
    return shape.has_rank() ? shape : PartialShape::of_rank(rank);
  };
  const PartialShape data = of_rank(node.input_type(0).shape);
  const PartialShape out = of_rank(node.output_type().shape);
  if (op.exclude_pad || op.rounding_type != ops::TorchRoundingType::ceil_torch || !has_all_attributes(op) ||
      data.size() != rank || out.size() != rank)
    return {};
  Integers before(rank, 0);
  Integers after(rank, 0);
  Integers is_cut(rank, 0);
  ops::v1::AvgPool made{{.kernel = op.kernel,
                         .strides = op.strides,
                         .pads_begin = Integers(rank - 2, 0),
                         .pads_end = Integers(rank - 2, 0)}};
  made.exclude_pad = true;
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    const std::int64_t kernel = op.kernel[i];
    const std::int64_t stride = op.strides[i];
    before[i + 2] = op.pads_begin[i];
    after[i + 2] = op.pads_end[i];
    if (data[i + 2].is_known() && out[i + 2].is_known()) {
      const std::int64_t padded = data[i + 2].value() + before[i + 2] + after[i + 2];
      made.pads_end[i] = std::max<std::int64_t>(0, (out[i + 2].value() - 1) * stride + kernel - padded);
      continue;
    }
    made.pads_end[i] =
        // rounding down gives the windows of rounding up then, except those that begin after the padding
        std::min(stride, kernel) - 1;
    is_cut[i + 2] = after[i + 2] > 0 && may_begin_in_padding(kernel, stride, after[i + 2]) ? 1 : 0;
  }
  if (!has_number(made.pads_end)) {  // no window sticks out
    made.pads_begin = op.pads_begin;
    made.pads_end = op.pads_end;
    made.exclude_pad = false;
    return rw.create(std::move(made), node.input(0));
  }
  Value padded = node.input(0);
  if (has_number(before) || has_number(after))
    padded = rw.create(ops::v1::Pad{}, padded, rw.integers(before), rw.integers(after), rw.scalar_like(padded, 0));
  const Value result = rw.create(std::move(made), padded);
  return has_number(is_cut) ? without_windows_of_padding(rw, result, node.input(0), op, is_cut) : result;
}

Replacement max_pool_that_ceils(const Node& node, const ops::v14::MaxPool& op, Rewriter& rw) {
  if (op.rounding_type != ops::TorchRoundingType::ceil_torch || !has_all_attributes(op))
    return declined("no rounding of torch, or implicit padding");
  const bool wants_indices = node.out_port_count() > 1 && !node.out_port(1).disconnected();
  const bool is_plain = !wants_indices && !dilates(op.dilations);
  const Node made =
      is_plain ? rw.create_node(ops::v1::MaxPool{op, ops::RoundingType::ceil}, {node.input(0)})
               : rw.create_node(ops::v8::MaxPool{op, ops::RoundingType::ceil}, {node.input(0)}, wants_indices ? 2 : 1);
  return as_many_windows(node, made, op, op.dilations, rw);
}

Replacement average_that_ceils(const Node& node, const ops::v14::AvgPool& op, Rewriter& rw) {
  if (op.rounding_type != ops::TorchRoundingType::ceil_torch || !op.exclude_pad || !has_all_attributes(op))
    return declined("no rounding of torch, padding that counts, or implicit padding");
  const ops::v1::AvgPool made{op, true, ops::RoundingType::ceil};
  return as_many_windows(node, rw.create_node(made, {node.input(0)}), op, {}, rw);
}

}  // namespace mo::transformations
