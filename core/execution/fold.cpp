#include "core/execution/fold.hpp"

#include <algorithm>
#include <limits>

#include "core/execution/recipe.hpp"
#include "core/graph/builtin_ops.hpp"
#include "core/graph/copying.hpp"
#include "core/inference/evaluate.hpp"
#include "core/inference/infer.hpp"
#include "core/support/budget.hpp"

namespace mo {
namespace {

/// A result that is larger than this many times its inputs has grown from almost nothing (Broadcast, Tile,
/// Range).
constexpr std::uint64_t kGrowth = 16;

/// The most that a result can take whose shape only the values decide: an index for each element in each dimension
/// (NonZero).
std::uint64_t most_bytes_of_unknown_size(const std::vector<Tensor>& inputs) {
  std::uint64_t most = 0;
  for (const Tensor& input : inputs)
    if (!input.empty()) {
      const std::uint64_t indices =
          sizeof(std::int64_t) * static_cast<std::uint64_t>(std::max<std::int64_t>(input.rank(), 1));
      const auto count = static_cast<std::uint64_t>(input.element_count());
      most = std::max(most, count > std::numeric_limits<std::uint64_t>::max() / indices
                                ? std::numeric_limits<std::uint64_t>::max()
                                : count * indices);
    }
  return most;
}

std::vector<Tensor> constant_inputs(const Node& node) {
  std::vector<Tensor> inputs(node.in_port_count());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (const Value source = node.input(i)) inputs[i] = source.node().as<Const>()->value;
  return inputs;
}

/// Whether mo knows a type that the node reads or gives by name only: then it cannot be computed.
bool has_named_type(const Node& node) {
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (const Value source = node.input(i); source && is_named(source.data().element_type())) return true;
  for (const OutPort& port : node.out_ports())
    if (is_named(port.data().element_type())) return true;
  return false;
}

}  // namespace

bool can_fold(const Node& node) {
  const OpType& type = node.op_type();
  return type.evaluate && !type.traits.stateful && !type.traits.never_folded && !type.traits.owns_bodies &&
         !node.is<Const>() && node.in_port_count() > 0;
}

bool has_constant_inputs(const Node& node) {
  if (node.is<ScalarLike>()) return node.output().data().value() != nullptr;
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
  if (has_named_type(node)) return Tensor();
  const auto count = data.type().shape.element_count();
  const auto bytes = count ? byte_size(data.element_type(), *count) : std::nullopt;
  std::vector<Tensor> inputs = constant_inputs(node);
  if (bytes) {
    if (node.op_type().traits.reinterprets && inputs.front().element_count() == *count &&
        inputs.front().element_type() == data.element_type())
      return inputs.front().reshaped(*data.type().shape.to_shape());
    std::uint64_t made_of = 0;
    for (const Tensor& input : inputs) made_of += input.empty() ? 0 : input.byte_size();
    if (*bytes > kSmallValueBytes && *bytes / kGrowth > made_of && !may_grow_constant(*bytes)) return Tensor();
    if (*bytes > kSmallValueBytes)
      return make_recipe(copy_op(node), std::move(inputs), node.out_port_count(), i, data.type());
  } else if (most_bytes_of_unknown_size(inputs) > limit_of_unknown_size()) {
    return Tensor();
  }
  // Small, or of a shape that only the values decide (NonZero).
  MO_ASSIGN(std::vector<Tensor> made,
            evaluate_op(node.op_type(), node.payload(), std::move(inputs), node.out_port_count()));
  return made[i];
}

}  // namespace mo
