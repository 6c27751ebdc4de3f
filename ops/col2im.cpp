#include "ops/col2im.hpp"

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/reference/col2im.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

constexpr std::int64_t kLargestImage = std::int64_t{1} << 31;

Expected<void> check_pair(const InferContext& ctx, std::string_view name, const std::vector<std::int64_t>& numbers,
                          std::int64_t least) {
  if (numbers.size() != 2)
    return ctx.error("MO-OPS-0474", "{} has {} values, expected 2", name, numbers.size())
        .hint("give one number each for height and width");
  for (const std::int64_t number : numbers)
    if (number < least || number > kLargestImage)
      return ctx.error("MO-OPS-0474", "{} has {}, expected {} to {}", name, number, least, kLargestImage)
          .hint("check the attributes of the node");
  return {};
}

/// How many blocks fit along an axis; nothing when no block fits, or the numbers are too large.
std::optional<std::int64_t> blocks_along(const Col2Im& op, std::size_t i, std::int64_t size, std::int64_t block) {
  if (size < 0 || size > kLargestImage || block < 1 || block > kLargestImage) return std::nullopt;
  std::int64_t reach = 0;
  if (__builtin_mul_overflow(op.dilations[i], block - 1, &reach)) return std::nullopt;
  const std::int64_t free = size + op.pads_begin[i] + op.pads_end[i] - reach - 1;
  return free < 0 ? std::nullopt : std::optional(free / op.strides[i] + 1);
}

}  // namespace

Expected<void> Col2Im::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number type"));
  MO_TRY(ctx.expect_rank(0, 2, 3));
  MO_TRY(check_pair(ctx, "strides", strides, 1));
  MO_TRY(check_pair(ctx, "dilations", dilations, 1));
  MO_TRY(check_pair(ctx, "pads_begin", pads_begin, 0));
  MO_TRY(check_pair(ctx, "pads_end", pads_end, 0));
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
    MO_TRY(expect_integers(ctx, {i}));
    MO_TRY(ctx.expect_rank(i, 1, 1));
    if (ctx.input_shape(i).has_rank() && !ctx.input_shape(i)[0].compatible(2))
      return ctx.error("MO-OPS-0474", "input {} has shape {}, expected [2]", i, ctx.input_shape(i).to_string())
          .hint("give one size each for height and width");
  }
  MO_ASSIGN(const PartialShape size, described_shape(ctx, 1));
  const auto block = ctx.integers(2);
  const PartialShape& columns = ctx.input_shape(0);
  if (!columns.has_rank()) {
    ctx.output(0, ctx.input_element_type(0), PartialShape::unknown_rank());
    return {};
  }
  const std::size_t rank = columns.size();
  const Dimension& channels = columns[rank - 2];
  const Dimension& places = columns[rank - 1];
  PartialShape shape = PartialShape::of_rank(rank + 1);
  if (rank == 3) shape[0] = columns[0];
  for (std::size_t i = 0; i < 2; ++i)
    if (size.has_rank()) shape[rank - 1 + i] = size[i];
  if (block) {
    std::int64_t elements = 0;
    if ((*block)[0] < 1 || (*block)[1] < 1 || __builtin_mul_overflow((*block)[0], (*block)[1], &elements))
      return ctx.error("MO-OPS-0474", "a block of {} x {} is not possible", (*block)[0], (*block)[1])
          .hint("check input 2");
    if (channels.is_known() && channels.value() % elements != 0)
      return ctx
          .error("MO-OPS-0474", "expected a multiple of the {} elements of a block, got {} rows", elements,
                 channels.value())
          .hint("check input 2, or override the shape with --input_shape");
    shape[rank - 2] = channels.is_known() ? Dimension(channels.value() / elements) : channels.floor_div(elements);
    if (shape[rank - 1].is_known() && shape[rank].is_known()) {
      const auto rows = blocks_along(*this, 0, shape[rank - 1].value(), (*block)[0]);
      const auto across = blocks_along(*this, 1, shape[rank].value(), (*block)[1]);
      std::int64_t count = 0;
      if (!rows || !across || __builtin_mul_overflow(*rows, *across, &count) || !places.compatible(count))
        return ctx
            .error("MO-OPS-0474", "the image has {} x {} blocks, and the columns are {}", rows.value_or(0),
                   across.value_or(0), columns.to_string())
            .hint("check the sizes of image and block, strides, dilations and pads");
    }
  }
  ctx.output(0, ctx.input_element_type(0), std::move(shape));
  return {};
}

Expected<void> Col2Im::evaluate(EvalContext& ctx) const {
  const Tensor& given = ctx.input(0);
  const Shape& shape = ctx.output(0).shape();
  MO_ASSIGN(const std::vector<std::int64_t> block, ctx.integers(2));
  const std::size_t rank = shape.size();
  const std::int64_t height = shape[rank - 2];
  const std::int64_t width = shape[rank - 1];
  reference::ImageBlocks blocks;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto count = blocks_along(*this, i, shape[rank - 2 + i], block[i]);
    if (!count)
      return ctx.error("MO-OPS-0474", "no block fits into the image").hint("check the sizes of image and block");
    blocks.block[i] = block[i];
    blocks.count[i] = *count;
    blocks.strides[i] = strides[i];
    blocks.dilations[i] = dilations[i];
    blocks.pads_begin[i] = pads_begin[i];
  }
  std::int64_t images = 1;
  for (std::size_t i = 0; i + 2 < rank; ++i) images *= shape[i];
  // Integers of up to 53 bits stay exact in double.
  const bool wide = given.element_type() == ElementType::f64 ||
                    (is_integral(given.element_type()) && bit_width(given.element_type()) > 16);
  const ElementType computed = wide ? ElementType::f64 : ElementType::f32;
  MO_ASSIGN(const Tensor columns, convert(given, computed));
  MO_ASSIGN(Tensor sums, Tensor::allocate(computed, {images, height, width}));
  reference::add_blocks(columns, sums, blocks);
  MO_ASSIGN(sums, convert(sums, given.element_type()));
  ctx.set_output(0, sums.reshaped(shape));
  return {};
}

void register_col2im(OpRegistry& registry) { registry.add<Col2Im>(); }

}  // namespace mo::ops
