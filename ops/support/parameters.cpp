#include "ops/support/parameters.hpp"

namespace mo::ops {

Expected<void> expect_one_element(const InferContext& ctx, std::size_t i, std::string_view name) {
  const PartialShape& shape = ctx.input_shape(i);
  if (!shape.has_rank()) return {};
  for (const Dimension& d : shape)
    if (!d.compatible(Dimension(1)))
      return ctx.error("MO-OPS-0106", "{} (input {}) has shape {}, one element is expected", name, i, shape.to_string())
          .hint("give a scalar in the model, or compose the function of simpler ops");
  return {};
}

Expected<PartialShape> expect_fits_into(const InferContext& ctx, const PartialShape& data, const PartialShape& other,
                                        std::string_view name) {
  if (!data.has_rank() || !other.has_rank()) return data;
  const auto misfit = [&] {
    return ctx
        .error("MO-OPS-0107", "{} of shape {} does not broadcast to {}", name, other.to_string(), data.to_string())
        .hint("aligned at the last dimension, its dimensions must be 1 or those of input 0");
  };
  if (other.size() > data.size()) return misfit();
  PartialShape result = data;
  for (std::size_t i = 0; i < other.size(); ++i) {
    const Dimension& dim = other[i];
    Dimension& own = result[data.size() - other.size() + i];
    const bool may_stretch = dim.compatible(Dimension(1));
    const auto merged = own.merge(dim);
    if (!may_stretch && !merged) return misfit();
    if (!may_stretch) own = *merged;
  }
  return result;
}

Expected<double> one_real(const EvalContext& ctx, std::size_t i) {
  MO_ASSIGN(const std::vector<double> values, ctx.reals(i));
  MO_ASSERT(values.size() == 1, "a parameter was not inferred");
  return values.front();
}

}  // namespace mo::ops
