#include "ops/einsum.hpp"

#include <algorithm>
#include <map>

#include "core/op/define_op.hpp"
#include "ops/reference/einsum.hpp"
#include "ops/support/einsum_equation.hpp"
#include "ops/support/element_kinds.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

bool is_resolvable(const EinsumEquation& equation, const std::vector<PartialShape>& shapes) {
  for (std::size_t i = 0; i < shapes.size(); ++i)
    if (!shapes[i].has_rank() &&
        std::find(equation.inputs[i].begin(), equation.inputs[i].end(), kEllipsis) != equation.inputs[i].end())
      return false;
  return true;
}

/// The dimension of each label; equal within a tensor, broadcast between tensors.
Expected<std::map<int, Dimension>> dimensions_of(const InferContext& ctx, const EinsumEquation& equation,
                                                 const std::vector<PartialShape>& shapes) {
  std::map<int, Dimension> dims;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    std::map<int, Dimension> own;
    for (std::size_t k = 0; k < equation.inputs[i].size(); ++k) {
      const int label = equation.inputs[i][k];
      const Dimension dim = shapes[i].has_rank() ? shapes[i][k] : Dimension();
      const auto [at, fresh] = own.emplace(label, dim);
      if (fresh) continue;
      const auto merged = at->second.merge(dim);
      if (!merged)
        return ctx
            .error("MO-OPS-0333", "label '{}' is both {} and {} in input {} of shape {}", label_text({label}),
                   at->second.to_string(), dim.to_string(), i, shapes[i].to_string())
            .hint("dimensions with the same label must be equal");
      at->second = *merged;
    }
    for (const auto& [label, dim] : own) {
      const auto [at, fresh] = dims.emplace(label, dim);
      if (fresh) continue;
      const auto both = broadcast(PartialShape{at->second}, PartialShape{dim});
      if (!both)
        return ctx
            .error("MO-OPS-0333", "label '{}' is {} and, in input {} of shape {}, {}", label_text({label}),
                   at->second.to_string(), i, shapes[i].to_string(), dim.to_string())
            .hint("dimensions with the same label must be equal or 1");
      at->second = (*both)[0];
    }
  }
  return dims;
}

}  // namespace

Expected<void> Einsum::infer(InferContext& ctx) const {
  MO_ASSIGN(const EinsumEquation parsed, parse_einsum(equation));
  if (parsed.inputs.size() != ctx.input_count())
    return ctx
        .error("MO-OPS-0331", "'{}' is for {} inputs, there are {}", equation, parsed.inputs.size(), ctx.input_count())
        .hint("correct the equation");
  MO_TRY(ctx.expect_inputs(parsed.inputs.size()));
  ElementType type = ElementType::dynamic;
  std::vector<PartialShape> shapes;
  for (std::size_t i = 0; i < ctx.input_count(); ++i) {
    MO_TRY(expect_element_type(ctx, i, is_number, "a number"));
    if (i > 0) MO_TRY(common_element_type(ctx, {0, i}));
    if (type == ElementType::dynamic) type = ctx.input_element_type(i);
    shapes.push_back(ctx.input_shape(i));
  }
  if (!is_resolvable(parsed, shapes)) {
    const bool ellipsis = std::find(parsed.output.begin(), parsed.output.end(), kEllipsis) != parsed.output.end();
    ctx.output(0, type, ellipsis ? PartialShape::unknown_rank() : PartialShape::of_rank(parsed.output.size()));
    return {};
  }
  MO_ASSIGN(const EinsumEquation labels, expand_ellipses(parsed, shapes));
  MO_ASSIGN(const auto dims, dimensions_of(ctx, labels, shapes));
  std::vector<Dimension> out;
  for (const int label : labels.output) out.push_back(dims.at(label));
  ctx.output(0, type, PartialShape(std::move(out)));
  return {};
}

Expected<void> Einsum::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(const EinsumEquation parsed, parse_einsum(equation));
  std::vector<Tensor> inputs;
  std::vector<PartialShape> shapes;
  for (std::size_t i = 0; i < ctx.input_count(); ++i) {
    inputs.push_back(ctx.input(i));
    shapes.push_back(inputs.back().type().shape);
  }
  MO_ASSIGN(const EinsumEquation labels, expand_ellipses(parsed, shapes));
  return reference::einsum(inputs, labels.inputs, labels.output, ctx.output(0));
}

void register_einsum(OpRegistry& registry) { registry.add<Einsum>(); }

}  // namespace mo::ops
