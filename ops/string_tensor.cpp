#include "ops/string_tensor.hpp"

#include <algorithm>
#include <limits>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {

Expected<void> StringTensorPack::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(3));
  MO_TRY(expect_indices(ctx, {0, 1}));
  MO_TRY(common_element_type(ctx, {0, 1}));
  MO_TRY(expect_element_type(
      ctx, 2, [](ElementType type) { return type == ElementType::u8; }, "u8"));
  MO_TRY(ctx.expect_rank(2, 1, 1));
  MO_ASSIGN(PartialShape shape,
            merge_shapes(ctx, ctx.input_shape(0), ctx.input_shape(1), "the beginnings and ends of strings"));
  ctx.output(0, ElementType::string, std::move(shape));
  return {};
}

Expected<void> StringTensorPack::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(const std::vector<std::int64_t> begins, ctx.integers(0));
  MO_ASSIGN(const std::vector<std::int64_t> ends, ctx.integers(1));
  const auto bytes = ctx.input(2).values<std::uint8_t>();
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    if (begins[i] < 0 || begins[i] > ends[i] || ends[i] > static_cast<std::int64_t>(bytes.size()))
      return ctx.error("MO-OPS-0479", "string {} is from {} to {} of {} bytes", i, begins[i], ends[i], bytes.size())
          .hint("check the beginnings and ends");
    strings.emplace_back(bytes.begin() + begins[i], bytes.begin() + ends[i]);
  }
  ctx.set_output(0, from_strings(ctx.input(0).shape(), strings));
  return {};
}

Expected<void> StringTensorUnpack::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1));
  MO_TRY(expect_element_type(
      ctx, 0, [](ElementType type) { return type == ElementType::string; }, "strings"));
  ctx.output(0, ElementType::i32, ctx.input_shape(0));
  ctx.output(1, ElementType::i32, ctx.input_shape(0));
  ctx.output(2, ElementType::u8, {Dimension()});
  return {};
}

Expected<void> StringTensorUnpack::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(const std::vector<std::string> strings, to_strings(ctx.input(0)));
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> ends;
  std::string all;
  for (const std::string& string : strings) {
    begins.push_back(static_cast<std::int64_t>(all.size()));
    all += string;
    ends.push_back(static_cast<std::int64_t>(all.size()));
  }
  if (all.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    return ctx.error("MO-OPS-0479", "the strings have {} bytes", all.size()).hint("places of bytes are i32");
  const Shape& shape = ctx.input(0).shape();
  MO_ASSIGN(Tensor begin, from_integers(ElementType::i32, shape, begins));
  MO_ASSIGN(Tensor end, from_integers(ElementType::i32, shape, ends));
  MO_ASSIGN(Tensor bytes, Tensor::allocate(ElementType::u8, {static_cast<std::int64_t>(all.size())}));
  std::copy(all.begin(), all.end(), bytes.mutable_values<std::uint8_t>().begin());
  ctx.set_output(0, std::move(begin));
  ctx.set_output(1, std::move(end));
  ctx.set_output(2, std::move(bytes));
  return {};
}

void register_string_tensor(OpRegistry& registry) {
  registry.add<StringTensorPack>();
  registry.add<StringTensorUnpack>();
}

}  // namespace mo::ops
