#include "core/inference/evaluate.hpp"

#include "core/diagnostics/plugin_code.hpp"
#include "core/inference/infer.hpp"
#include "core/op/layout_rule.hpp"
#include "core/support/budget.hpp"
#include "core/tensor/permute.hpp"

namespace mo {
namespace {

/// Bytes that an evaluation reads and writes, as far as they are known before.
std::uint64_t bytes_of(const std::vector<Tensor>& inputs, const std::vector<TensorType>& outputs) {
  std::uint64_t bytes = 0;
  for (const Tensor& input : inputs) bytes += input.byte_size();
  for (const TensorType& type : outputs)
    if (const auto count = type.shape.element_count()) bytes += byte_size(type.element_type, *count).value_or(0);
  return bytes;
}

/// What the op is inferred to give for these inputs.
Expected<std::vector<TensorType>> output_types(const OpType& type, const void* payload,
                                               const std::vector<Tensor>& inputs, std::size_t output_count) {
  std::vector<TensorFact> facts(inputs.size());
  std::vector<bool> present(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].empty()) continue;
    facts[i] = {inputs[i].type(), inputs[i], nullptr};
    present[i] = true;
  }
  // executing changes no graph
  InferContext infer(type, std::move(facts), std::move(present), output_count, &bodies_beside());
  MO_TRY(type.infer(payload, infer));
  std::vector<TensorType> types;
  types.reserve(output_count);
  for (TensorFact& fact : infer.outputs()) types.push_back(std::move(fact.type));
  return types;
}

/// Error MO-EXEC-0006 when mo knows a type by name only.
Expected<void> expect_known(const OpType& op, std::string_view what, std::size_t i, ElementType type) {
  if (!is_named(type)) return {};
  Diagnostic d =
      error("MO-EXEC-0006", "{} {} is {}, an element type that mo knows by name only", what, i, to_string(type))
          .hint("run the model in a runtime that knows the type; mo only carries it through");
  d.op = op.name;
  return d;
}

}  // namespace

Expected<std::vector<Tensor>> evaluate_op(const OpType& type, const void* payload, std::vector<Tensor> inputs,
                                          std::size_t output_count, const KernelTable* kernels) {
  if (!type.evaluate)
    return error("MO-EXEC-0001", "{} cannot be evaluated", type.name)
        .hint("the reference executor has no implementation of this op; run the model in a runtime");
  MO_TRY(spend(work::kInferNode));
  if (output_count == 0) return std::vector<Tensor>();  // ops assume that their outputs are needed
  // A channels-last op works on a channels-first copy of its data.
  const bool channels_last = type.is_channels_last(payload);
  std::optional<std::int64_t> rank;
  if (channels_last) {
    const auto rank_at = [&](std::size_t i) {
      return inputs[i].empty() ? std::nullopt : std::optional(inputs[i].rank());
    };
    rank = rank_of_images(type.layout_rule.data_inputs, inputs.size(), rank_at);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!mask_has(type.layout_rule.data_inputs, i) || !is_image(rank_at(i), rank)) continue;
      MO_ASSIGN(inputs[i], permuted(inputs[i], order_to_channels_first(inputs[i].shape().size())));
    }
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].empty()) continue;
    MO_TRY(expect_known(type, "input", i, inputs[i].element_type()));
    MO_ASSIGN(inputs[i], inputs[i].load());
  }
  const PluginCode running(type);
  MO_ASSIGN(std::vector<TensorType> types, output_types(type, payload, inputs, output_count));
  for (std::size_t i = 0; i < types.size(); ++i) MO_TRY(expect_known(type, "output", i, types[i].element_type));
  MO_TRY(spend(bytes_of(inputs, types)));

  EvalContext context(type, std::move(inputs), std::move(types), kernels);
  MO_TRY(context.allocate_outputs());
  bool done = false;
  if (kernels)
    if (const KernelTable::Kernel kernel = kernels->find(type)) { MO_ASSIGN(done, kernel(payload, context)); }
  if (!done) MO_TRY(type.evaluate(payload, context));
  for (std::size_t i = 0; i < output_count; ++i) {
    Tensor& output = context.outputs()[i];
    if (output.empty()) return error("MO-EXEC-0003", "{} gave no output {}", type.name, i);
    if (channels_last && is_image(output.rank(), rank)) {
      MO_ASSIGN(output, permuted(output, order_to_channels_last(output.shape().size())));
    }
  }
  return std::move(context.outputs());
}

Expected<Tensor> evaluate_op_rows(const OpType& op, const void* payload, std::vector<Tensor> inputs, TensorType type,
                                  std::int64_t first) {
  MO_ASSERT(op.evaluate_rows, "an op that has no rows");
  for (Tensor& input : inputs)
    if (!input.empty()) { MO_ASSIGN(input, input.load()); }
  MO_TRY(spend(bytes_of({}, {type})));
  EvalContext context(op, std::move(inputs), {std::move(type)});
  MO_TRY(context.allocate_outputs());
  MO_TRY(op.evaluate_rows(payload, context, first));
  return std::move(context.outputs().front());
}

}  // namespace mo
