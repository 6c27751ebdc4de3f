#include "ops/top_k.hpp"

#include <algorithm>

#include "core/op/define_op.hpp"
#include "ops/reference/top_k.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/index_inputs.hpp"

namespace mo::ops {
namespace {

bool may_have_no_elements(const PartialShape& shape) {
  return !shape.has_rank() || std::any_of(shape.begin(), shape.end(), [](const Dimension& d) { return d.min() == 0; });
}

}  // namespace

Expected<void> v11::TopK::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(2));
  MO_TRY(expect_element_type(ctx, 0, is_number, "a number type"));
  MO_TRY(expect_index_type(ctx, "index_element_type", index_element_type));
  MO_ASSIGN(const Dimension k, described_size(ctx, 1));
  // A detector that found nothing takes the best 0 of 0. Of data with elements, runtimes do not compute the best 0
  // (most of them crash).
  if (k.max() < 1 && !may_have_no_elements(ctx.input_shape(0)))
    return ctx.error("MO-OPS-0005", "k is {}, expected a positive integer", k.to_string())
        .hint("correct the computation of this value, and export the model again");
  TensorType data = ctx.input(0);
  if (data.shape.has_rank()) {
    MO_ASSIGN(const std::int64_t place, normalize_axis(ctx, axis, *data.rank()));
    Dimension& size = data.shape[static_cast<std::size_t>(place)];
    if (k.min() > size.max())
      return ctx
          .error("MO-OPS-0215", "k is {}, but dimension {} has only {} elements", k.to_string(), place,
                 size.to_string())
          .hint("check k, or override the shape with --input_shape");
    size = k.is_known() ? k : Dimension(k.min(), std::min(k.max(), size.max()), k.max() <= size.max() ? k.symbol() : 0);
  }
  ctx.output(0, data);
  ctx.output(1, index_element_type, std::move(data.shape));
  return {};
}

Expected<void> v11::TopK::evaluate(EvalContext& ctx) const {
  const Tensor& data = ctx.input(0);
  const std::int64_t place = *mo::normalize_axis(axis, data.rank());
  MO_ASSIGN(Tensor indices, Tensor::allocate(index_element_type, ctx.output(0).shape()));
  reference::top_k(data, place, mode == TopKMode::max, sort == TopKSort::index, ctx.output(0), indices);
  ctx.set_output(1, std::move(indices));
  return {};
}

void register_top_k(OpRegistry& registry) {
  registry.add<v1::TopK>();
  registry.add<v3::TopK>();
  registry.add<v11::TopK>();
}

}  // namespace mo::ops
