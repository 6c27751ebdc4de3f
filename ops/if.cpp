#include "ops/if.hpp"

#include <limits>

#include "core/graph/graph.hpp"
#include "core/op/define_op.hpp"
#include "core/tensor/convert.hpp"
#include "ops/support/infer.hpp"

namespace mo::ops {
namespace {

/// What is known of the outputs when this branch is taken.
Expected<std::vector<TensorFact>> infer_branch(const InferContext& ctx, Graph& body,
                                               const std::vector<InputMap>& inputs,
                                               const std::vector<OutputMap>& outputs) {
  MO_TRY(check_port_maps(ctx, body, inputs, outputs, {}));
  std::vector<TensorFact> facts(body.parameters().size());
  for (const InputMap& map : inputs)
    facts[static_cast<std::size_t>(map.parameter)] = ctx.input_fact(static_cast<std::size_t>(map.input));
  MO_ASSIGN(const std::vector<TensorFact> results, ctx.infer_body(body, facts));
  std::vector<TensorFact> made(ctx.output_count());
  for (const OutputMap& map : outputs)
    if (static_cast<std::uint64_t>(map.output) < made.size())
      made[static_cast<std::size_t>(map.output)] = results[static_cast<std::size_t>(map.result)];
  return made;
}

void output_fact(InferContext& ctx, std::size_t i, const TensorFact& fact) {
  ctx.output(i, fact.type);
  if (!fact.value.empty())
    ctx.output_value(i, fact.value);
  else if (fact.partial)
    ctx.output_partial(i, *fact.partial);
}

}  // namespace

Expected<void> If::infer(InferContext& ctx) const {
  MO_TRY(ctx.expect_inputs(1, std::numeric_limits<std::size_t>::max()));
  MO_TRY(expect_element_type(
      ctx, 0, [](ElementType t) { return t == ElementType::boolean; }, "boolean"));
  const auto count = ctx.input_shape(0).element_count();
  if (count && *count != 1)
    return ctx.error("MO-OPS-0416", "the condition has {} elements", *count)
        .hint("the condition is a scalar or has one element");
  const auto then_facts = [&] { return infer_branch(ctx, then_body.graph(), then_input_map, then_output_map); };
  const auto else_facts = [&] { return infer_branch(ctx, else_body.graph(), else_input_map, else_output_map); };
  if (const auto condition = ctx.integer(0)) {
    // Exporters guard impossible shapes with an If: the branch that is never taken is not checked.
    MO_ASSIGN(const std::vector<TensorFact> taken, *condition != 0 ? then_facts() : else_facts());
    for (std::size_t i = 0; i < taken.size(); ++i) output_fact(ctx, i, taken[i]);
    return {};
  }
  MO_ASSIGN(const std::vector<TensorFact> yes, then_facts());
  MO_ASSIGN(const std::vector<TensorFact> no, else_facts());
  for (std::size_t i = 0; i < yes.size(); ++i) {
    MO_ASSIGN(TensorType type, widen(ctx, yes[i].type, no[i].type));
    ctx.output(i, std::move(type));
  }
  return {};
}

Expected<void> If::evaluate(EvalContext& ctx) const {
  MO_ASSIGN(const std::vector<std::int64_t> condition, ctx.integers(0));
  const bool holds = condition.front() != 0;
  Graph& body = (holds ? then_body : else_body).graph();
  std::vector<Tensor> inputs(body.parameters().size());
  for (const InputMap& map : holds ? then_input_map : else_input_map) {
    const auto input = static_cast<std::size_t>(map.input);
    if (!ctx.has_input(input))
      return ctx.error("MO-OPS-0001", "input {} is missing, the body reads it", map.input)
          .hint("check the node in the model");
    inputs[static_cast<std::size_t>(map.parameter)] = ctx.input(input);
  }
  MO_ASSIGN(const std::vector<Tensor> results, ctx.run_body(body, inputs));
  for (const OutputMap& map : holds ? then_output_map : else_output_map)
    ctx.set_output(static_cast<std::size_t>(map.output), results[static_cast<std::size_t>(map.result)]);
  return {};
}

void register_if(OpRegistry& registry) { registry.add<If>(); }

}  // namespace mo::ops
