#include "ops/custom_operation.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "core/diagnostics/assert.hpp"
#include "core/graph/graph.hpp"
#include "core/op/layout_rule.hpp"
#include "core/tensor/permute.hpp"

namespace mo::ops {
namespace {

/// The engine sees the attributes of a dynamic op as an AttributeMap; the rules ride along.
struct Payload : AttributeMap {
  std::shared_ptr<const CustomRules> rules;
  DataLayout layout = DataLayout::channels_first;  ///< of the tensors at the node, now
};

const Payload& payload_of(const void* op) { return *static_cast<const Payload*>(static_cast<const AttributeMap*>(op)); }
/// The address that the engine keeps is that of the base.
void* erased(Payload* payload) { return static_cast<AttributeMap*>(payload); }

const Body* body_of(const Payload& payload) {
  const AttributeValue* value = payload.find(kHiddenBodyAttribute);
  return value ? value->get_if<Body>() : nullptr;
}

/// Whether the body has channels-last tensors where the engine shows channels-first ones.
bool is_body_channels_last(const Payload& payload) {
  const AttributeValue* value = payload.find(kModelLayoutAttribute);
  if (!value) return false;
  const auto layout = AttributeCodec<DataLayout>::decode(*value);
  return layout && *layout == DataLayout::channels_last;
}

/// What is known of a tensor in another layout; its elements are not.
TensorFact in_layout(const TensorFact& fact, std::vector<std::int64_t> (*order)(std::size_t rank)) {
  const PartialShape& shape = fact.type.shape;
  return {{fact.type.element_type, permuted(shape, order(shape.size()))}, {}, nullptr};
}

Expected<void> infer_by_body(Graph& body, bool channels_last, InferContext& ctx) {
  const std::size_t parameters = body.parameters().size();
  std::vector<TensorFact> facts(parameters);
  const auto rank = rank_of_images(~0U, ctx.input_count(), [&](std::size_t i) { return ctx.input(i).rank(); });
  for (std::size_t i = 0; i < std::min(parameters, ctx.input_count()); ++i) {
    facts[i] = ctx.input_fact(i);
    if (channels_last && is_image(facts[i].type.rank(), rank)) facts[i] = in_layout(facts[i], order_to_channels_last);
  }
  MO_ASSIGN(std::vector<TensorFact> results, ctx.infer_body(body, facts));
  for (std::size_t i = 0; i < std::min(results.size(), ctx.output_count()); ++i) {
    if (channels_last && is_image(results[i].type.rank(), rank))
      results[i] = in_layout(results[i], order_to_channels_first);
    ctx.output(i, results[i].type);
    if (!results[i].value.empty())
      ctx.output_value(i, results[i].value);
    else if (results[i].partial)
      ctx.output_partial(i, *results[i].partial);
  }
  return {};
}

Expected<void> infer(const void* op, InferContext& ctx) {
  const Payload& payload = payload_of(op);
  if (const Body* body = body_of(payload)) return infer_by_body(body->graph(), is_body_channels_last(payload), ctx);
  if (payload.rules && payload.rules->infer) return payload.rules->infer(payload, ctx);
  return {};
}

Expected<void> evaluate(const void* op, EvalContext& ctx) {
  const Payload& payload = payload_of(op);
  const Body* body = body_of(payload);
  if (!body) {
    if (payload.rules && payload.rules->evaluate) return payload.rules->evaluate(payload, ctx);
    return ctx.error("MO-EXEC-0001", "the custom op cannot be evaluated")
        .hint("its description does not define its values");
  }
  std::vector<Tensor> inputs(body->graph().parameters().size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!ctx.has_input(i))
      return ctx.error("MO-OPS-0001", "input {} is missing", i).hint("the sub-graph that the op stands for reads it");
    inputs[i] = ctx.input(i);
  }
  const auto rank = rank_of_images(~0U, inputs.size(), [&](std::size_t i) { return std::optional(inputs[i].rank()); });
  const bool channels_last = is_body_channels_last(payload);
  const auto is_moved = [&](const Tensor& tensor) { return channels_last && is_image(tensor.rank(), rank); };
  for (Tensor& input : inputs)
    if (is_moved(input)) { MO_ASSIGN(input, permuted(input, order_to_channels_last(input.shape().size()))); }
  MO_ASSIGN(std::vector<Tensor> results, ctx.run_body(body->graph(), inputs));
  for (std::size_t i = 0; i < std::min(results.size(), ctx.output_count()); ++i) {
    if (is_moved(results[i])) {
      MO_ASSIGN(results[i], permuted(results[i], order_to_channels_first(results[i].shape().size())));
    }
    ctx.set_output(i, results[i]);
  }
  return {};
}

/// Interned for the life of the process, as types of other dynamic ops are.
const OpType& type_of(const std::string& type, const std::string& op_set, bool can_evaluate, bool has_layout) {
  struct Entry {
    std::string type;
    std::string op_set;
    OpType op_type;
  };
  static std::mutex mutex;
  static std::map<std::tuple<std::string, std::string, bool, bool>, Entry> types;
  const std::lock_guard lock(mutex);
  auto [it, added] = types.try_emplace({type, op_set, can_evaluate, has_layout});
  if (added) {
    Entry& entry = it->second;
    entry.type = type;
    entry.op_set = op_set;
    OpType& made = entry.op_type;
    made.name = entry.type;
    made.opset_name = entry.op_set;
    made.dynamic = true;
    // The user wants to see the op in the IR, whatever its inputs are.
    made.traits = {.outputs = 0, .never_folded = true};
    made.create = []() -> void* { return erased(new Payload()); };
    made.clone = [](const void* op) -> void* { return erased(new Payload(payload_of(op))); };
    made.destroy = [](void* op) { delete static_cast<Payload*>(static_cast<AttributeMap*>(op)); };
    made.infer = &infer;
    if (can_evaluate) made.evaluate = &evaluate;
    if (has_layout) {
      made.layout_rule.data_inputs = ~0U;
      made.data_layout = [](void* op) { return &static_cast<Payload*>(static_cast<AttributeMap*>(op))->layout; };
    }
  }
  return it->second.op_type;
}

}  // namespace

Op custom_operation(CustomOperation operation) {
  MO_ASSERT(!operation.type.empty() && !operation.op_set.empty() && operation.type.find("::") == std::string::npos,
            "a custom op without a proper name");
  const bool can_evaluate = operation.body || (operation.rules && operation.rules->evaluate);
  const OpType& type = type_of(operation.type, operation.op_set, can_evaluate, operation.layout.has_value());
  auto* payload = new Payload();
  static_cast<AttributeMap&>(*payload) = std::move(operation.attributes);
  if (operation.body) payload->set(kHiddenBodyAttribute, *std::move(operation.body));
  payload->rules = std::move(operation.rules);
  if (operation.layout) {
    payload->layout = *operation.layout;
    payload->set(kModelLayoutAttribute, AttributeCodec<DataLayout>::encode(*operation.layout));
  }
  return {type, erased(payload)};
}

bool is_custom_operation(const OpType& type) { return type.dynamic && type.infer == &infer; }

Graph* hidden_body(const Node& node) {
  if (!is_custom_operation(node.op_type())) return nullptr;
  const Body* body = body_of(payload_of(node.payload()));
  return body ? &body->graph() : nullptr;
}

/// Custom ops are made from descriptions, not from the registry.
void register_custom_operation(OpRegistry& registry) { static_cast<void>(registry); }

}  // namespace mo::ops
