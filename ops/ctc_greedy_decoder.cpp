#include "ops/ctc_greedy_decoder.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

/// Classes of one sequence; `scores_at(t)` are those of step t.
template <class ScoresAt>
std::vector<std::int64_t> decode_greedily(std::int64_t steps, std::int64_t classes, std::int64_t blank, bool merge,
                                          ScoresAt scores_at) {
  std::vector<std::int64_t> decoded;
  std::int64_t previous = -1;
  for (std::int64_t t = 0; t < steps; ++t) {
    const float* scores = scores_at(t);
    const std::int64_t best = std::max_element(scores, scores + classes) - scores;
    if (best != blank && !(merge && best == previous)) decoded.push_back(best);
    previous = best;
  }
  return decoded;
}

/// Two dimensions that are the same one.
Expected<Dimension> same_dimension(const InferContext& ctx, const Dimension& a, const Dimension& b,
                                   std::string_view what) {
  if (auto merged = a.merge(b)) return *merged;
  return ctx.error("MO-OPS-0480", "the {} is {} in one input and {} in another", what, a.to_string(), b.to_string())
      .hint("check --input_shape");
}

bool is_index_type(ElementType type) { return type == ElementType::i32 || type == ElementType::i64; }

}  // namespace

Expected<void> CTCGreedyDecoder::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(ctx.expect_rank(0, 3, 3));
  MO_TRY(ctx.expect_rank(1, 2, 2));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  const PartialShape data = ctx.input_shape(0).has_rank() ? ctx.input_shape(0) : PartialShape::of_rank(3);
  const PartialShape mask = ctx.input_shape(1).has_rank() ? ctx.input_shape(1) : PartialShape::of_rank(2);
  MO_ASSIGN(const Dimension steps, same_dimension(ctx, data[0], mask[0], "length"));
  MO_ASSIGN(const Dimension batch, same_dimension(ctx, data[1], mask[1], "batch"));
  ctx.output(0, ctx.input_element_type(0), {batch, steps, 1, 1});
  return {};
}

Expected<void> CTCGreedyDecoder::evaluate(EvalContext& ctx) const {
  const Shape& shape = ctx.input(0).shape();
  if (shape[2] == 0 && ctx.input(1).element_count() > 0)
    return ctx.error("MO-OPS-0481", "there are no classes").hint("check --input_shape");
  MO_ASSIGN(const Tensor data, convert(ctx.input(0), ElementType::f32));
  MO_ASSIGN(const Tensor mask, convert(ctx.input(1), ElementType::f32));
  MO_ASSIGN(Tensor out, Tensor::allocate(ElementType::f32, ctx.output(0).shape()));
  const auto values = out.mutable_values<float>();
  std::fill(values.begin(), values.end(), -1.0F);
  for (std::int64_t n = 0; n < shape[1]; ++n) {
    std::int64_t steps = 0;
    while (steps < shape[0] && mask.values<float>()[static_cast<std::size_t>(steps * shape[1] + n)] != 0) ++steps;
    const auto decoded = decode_greedily(steps, shape[2], shape[2] - 1, ctc_merge_repeated, [&](std::int64_t t) {
      return data.values<float>().data() + (t * shape[1] + n) * shape[2];
    });
    std::copy(decoded.begin(), decoded.end(), values.begin() + n * shape[0]);
  }
  MO_ASSIGN(out, convert(out, ctx.input(0).element_type()));
  ctx.set_output(0, std::move(out));
  return {};
}

Expected<void> CTCGreedyDecoderSeqLen::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2, 3));
  MO_TRY(ctx.expect_rank(0, 3, 3));
  MO_TRY(ctx.expect_rank(1, 1, 1));
  MO_TRY(expect_element_type(ctx, 0, is_real, "a real type"));
  MO_TRY(expect_element_type(ctx, 1, is_integral, "an integer type"));
  MO_TRY(expect_element_type(ctx, 2, is_integral, "an integer type"));
  if (!is_index_type(classes_index_type) || !is_index_type(sequence_length_type))
    return ctx
        .error("MO-OPS-0482", "the index types are {} and {}", to_string(classes_index_type),
               to_string(sequence_length_type))
        .hint("they are i32 or i64");
  const auto blanks = ctx.input_shape(2).element_count();
  if (ctx.has_input(2)) MO_TRY(ctx.expect_rank(2, 0, 1));
  if (ctx.has_input(2) && blanks && *blanks != 1)
    return ctx.error("MO-OPS-0483", "{} blank classes are given", *blanks).hint("give one class");
  const PartialShape data = ctx.input_shape(0).has_rank() ? ctx.input_shape(0) : PartialShape::of_rank(3);
  const PartialShape lengths = ctx.input_shape(1).has_rank() ? ctx.input_shape(1) : PartialShape::of_rank(1);
  MO_ASSIGN(const Dimension batch, same_dimension(ctx, data[0], lengths[0], "batch"));
  ctx.output(0, classes_index_type, {batch, data[1]});
  ctx.output(1, sequence_length_type, PartialShape{batch});
  return {};
}

Expected<void> CTCGreedyDecoderSeqLen::evaluate(EvalContext& ctx) const {
  const Shape& shape = ctx.input(0).shape();
  MO_ASSIGN(const std::vector<std::int64_t> lengths, ctx.integers(1));
  std::vector<std::int64_t> blank{shape[2] - 1};
  if (ctx.has_input(2)) { MO_ASSIGN(blank, ctx.integers(2)); }
  MO_ASSIGN(const Tensor data, convert(ctx.input(0), ElementType::f32));
  std::vector<std::int64_t> classes(static_cast<std::size_t>(shape[0] * shape[1]), -1);
  std::vector<std::int64_t> counts;
  for (std::int64_t n = 0; n < shape[0]; ++n) {
    const std::int64_t steps = lengths[static_cast<std::size_t>(n)];
    if (steps < 0 || steps > shape[1] || (steps > 0 && shape[2] == 0))
      return ctx.error("MO-OPS-0481", "a sequence of {} steps does not fit data of shape {}", steps, to_string(shape))
          .hint("lengths are in [0, {}], and there are classes", shape[1]);
    const auto decoded = decode_greedily(steps, shape[2], blank.front(), merge_repeated, [&](std::int64_t t) {
      return data.values<float>().data() + (n * shape[1] + t) * shape[2];
    });
    std::copy(decoded.begin(), decoded.end(), classes.begin() + n * shape[1]);
    counts.push_back(static_cast<std::int64_t>(decoded.size()));
  }
  MO_ASSIGN(Tensor class_tensor, from_integers(classes_index_type, {shape[0], shape[1]}, classes));
  MO_ASSIGN(Tensor count_tensor, from_integers(sequence_length_type, {shape[0]}, counts));
  ctx.set_output(0, std::move(class_tensor));
  ctx.set_output(1, std::move(count_tensor));
  return {};
}

void register_ctc_greedy_decoder(OpRegistry& registry) {
  registry.add<CTCGreedyDecoder>();
  registry.add<CTCGreedyDecoderSeqLen>();
}

}  // namespace mo::ops
