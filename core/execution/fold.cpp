#include "core/execution/fold.hpp"

#include "core/execution/recipe.hpp"
#include "core/inference/infer.hpp"

namespace mo {
namespace {

/// A constant that grows beyond this from next to nothing is left to the runtime.
constexpr std::uint64_t kMaxGrownBytes = std::uint64_t{1} << 30;

std::vector<Tensor> constant_inputs(const Node& node) {
  std::vector<Tensor> inputs(node.in_port_count());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (const Value source = node.input(i)) inputs[i] = source.node().as<Const>()->value;
  return inputs;
}

}  // namespace

bool can_fold(const Node& node) {
  const OpType& type = node.op_type();
  return type.evaluate && !type.traits.stateful && !type.traits.never_folded && !type.traits.owns_bodies && !node.is<Const>() &&
         node.in_port_count() > 0;
}

bool has_constant_inputs(const Node& node) {
  bool any = false;
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (const Value source = node.input(i)) {
      if (!source.node().is<Const>()) return false;
      any = true;
    }
  return any;
}

Expected<Tensor> fold_output(const Node& node, std::size_t i) {
  const PortData data = node.out_port(i).data();
  if (data.value()) return *data.value();
  const auto count = data.type().shape.element_count();
  const auto bytes = count ? byte_size(data.element_type(), *count) : std::nullopt;
  std::vector<Tensor> inputs = constant_inputs(node);
  if (bytes) {
    if (node.op_type().traits.reinterprets && inputs.front().element_count() == *count && inputs.front().element_type() == data.element_type())
      return inputs.front().reshaped(*data.type().shape.to_shape());
    std::uint64_t made_of = 0;
    for (const Tensor& input : inputs) made_of += input.empty() ? 0 : input.byte_size();
    if (*bytes > kMaxGrownBytes && *bytes / 16 > made_of) return Tensor();
    if (*bytes > kSmallValueBytes)
      return make_recipe(Op(node.op_type(), node.op_type().clone(node.payload())), std::move(inputs), node.out_port_count(), i, data.type());
  }
  // Small, or of a shape that only the values decide (NonZero).
  MO_ASSIGN(std::vector<Tensor> made, evaluate_op(node.op_type(), node.payload(), std::move(inputs), node.out_port_count()));
  return made[i];
}

}  // namespace mo
