#include "core/inference/infer.hpp"

#include <absl/container/inlined_vector.h>

#include <algorithm>

#include "core/diagnostics/plugin_code.hpp"
#include "core/inference/evaluate.hpp"
#include "core/op/eval_context.hpp"
#include "core/op/layout_rule.hpp"
#include "core/support/budget.hpp"
#include "core/tensor/convert.hpp"
#include "core/tensor/permute.hpp"

namespace mo {
namespace {

/// All connected inputs are completely known and small, and so are the outputs.
bool worth_evaluating(const OpType& type, const InferContext& ctx, const std::vector<TensorFact>& outputs) {
  if (!type.evaluate || type.traits.stateful || type.traits.owns_bodies || ctx.input_count() == 0) return false;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < ctx.input_count(); ++i) {
    if (!ctx.has_input(i)) continue;
    const Tensor* value = ctx.value(i);
    if (!value || is_named(value->element_type())) return false;
    bytes += value->byte_size();
  }
  for (const TensorFact& fact : outputs) {
    if (is_named(fact.type.element_type)) return false;
    const auto count = fact.type.shape.element_count();
    if (fact.type.shape.is_static())
      bytes += count ? byte_size(fact.type.element_type, *count).value_or(kSmallValueBytes + 1) : kSmallValueBytes + 1;
  }
  return bytes <= kSmallValueBytes;
}

Expected<void> evaluate_known(const OpType& type, const void* payload, const InferContext& ctx,
                              std::vector<TensorFact>& outputs) {
  if (std::all_of(outputs.begin(), outputs.end(), [](const TensorFact& f) { return !f.value.empty(); })) return {};
  if (!worth_evaluating(type, ctx, outputs)) return {};
  std::vector<Tensor> inputs(ctx.input_count());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (const Tensor* value = ctx.value(i)) inputs[i] = *value;
  MO_ASSIGN(const std::vector<Tensor> values, evaluate_op(type, payload, std::move(inputs), outputs.size()));
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (values[i].byte_size() <= kSmallValueBytes) outputs[i] = {values[i].type(), values[i], nullptr};
  return {};
}

/// Integers of which nothing is known but how many there are.
std::optional<PartialValue> unknown_integers(const TensorType& type) {
  const auto shape = type.shape.to_shape();
  const auto count = type.shape.element_count();
  if (!shape || !count || *count > kMaxPartialElements) return std::nullopt;
  return PartialValue{*shape, std::vector<Dimension>(static_cast<std::size_t>(*count))};
}

/// Partly known integers through an op that only moves elements: it is evaluated on element ids.
void evaluate_partial(const OpType& type, const void* payload, const InferContext& ctx,
                      std::vector<TensorFact>& outputs) {
  const std::uint32_t moves = type.traits.moves_elements;
  if (moves == 0 || !type.evaluate) return;
  bool any_partial = false;
  bool any_known = false;
  std::vector<Tensor> inputs(ctx.input_count());
  std::vector<Dimension> elements = {Dimension(0)};  // id 0: elements that the op adds itself (padding)
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!ctx.has_input(i)) continue;
    if ((i < 32 ? moves >> i : moves >> 31) & 1U) {
      if (!is_integral(ctx.input_element_type(i))) return;
      auto partial = ctx.partial(i);
      any_known = any_known || partial;
      if (!partial) partial = unknown_integers(ctx.input(i));
      if (!partial) return;
      any_partial = any_partial || !ctx.value(i);
      std::vector<std::int64_t> ids;
      for (const Dimension& d : partial->elements) {
        ids.push_back(static_cast<std::int64_t>(elements.size()));
        elements.push_back(d);
      }
      inputs[i] = Tensor::of<std::int64_t>(partial->shape, ids);
    } else {
      const Tensor* value = ctx.value(i);
      if (!value || value->byte_size() > kSmallValueBytes) return;
      inputs[i] = *value;
    }
  }
  if (!any_partial || !any_known) return;
  const auto moved = evaluate_op(type, payload, std::move(inputs), outputs.size());
  if (!moved) return;  // an op that is not that simple on these inputs; its types stand
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& ids = (*moved)[i];
    if (ids.element_type() != ElementType::i64 || ids.element_count() > kMaxPartialElements ||
        !outputs[i].value.empty() || outputs[i].partial)
      continue;
    PartialValue value{ids.shape(), {}};
    for (const std::int64_t id : ids.values<std::int64_t>())
      value.elements.push_back(elements[static_cast<std::size_t>(id)]);
    outputs[i].partial = std::make_shared<const PartialValue>(std::move(value));
  }
}

/// A partial value without unknown elements is a value.
void settle_partial(TensorFact& fact) {
  if (!fact.partial || !is_integral(fact.type.element_type)) return;
  std::vector<std::int64_t> numbers;
  for (const Dimension& d : fact.partial->elements) {
    if (!d.is_known()) return;
    numbers.push_back(d.value());
  }
  if (auto tensor = from_integers(fact.type.element_type, fact.partial->shape, numbers)) {
    fact.value = *std::move(tensor);
    fact.partial = nullptr;
  }
}

/// A tensor of a channels-last op as the op sees it, or an output of it as the graph does: without the value (folding
/// permutes it when it has to).
void move_channels(TensorFact& fact, std::vector<std::int64_t> (*order)(std::size_t rank)) {
  fact.value = {};
  fact.partial = nullptr;
  fact.type.shape = permuted(fact.type.shape, order(fact.type.shape.size()));
}

/// A tensor of more elements than that has no size in bytes that can be stored.
constexpr std::int64_t kMostElements = Dimension::kNoLimit / 64;

Expected<void> check_size(const TensorType& type) {
  if (!type.shape.is_static()) return {};
  const auto count = type.shape.element_count();
  if (count && *count <= kMostElements) return {};
  return error("MO-CORE-0002", "a tensor {} has no size that can be stored", type.to_string())
      .hint("check the shapes of the model and --input_shape");
}

using FactViews = absl::InlinedVector<FactView, 4>;

/// Lets a channels-last op see its data channels-first; the views lead to `seen`.
void show_channels_first(const OpType& type, std::optional<std::int64_t> rank, FactViews& facts,
                         std::vector<TensorFact>& seen) {
  seen.reserve(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (!facts[i].type || !mask_has(type.layout_rule.data_inputs, i) || !is_image(facts[i].type->rank(), rank))
      continue;
    seen.push_back({*facts[i].type, {}, nullptr});
    move_channels(seen.back(), order_to_channels_first);
    facts[i] = view_of(seen.back());
  }
}

/// Types follow from types: an op of a plugin that gives an output none, although all inputs have one, forgot it. Error
/// MO-PLUGIN-0031.
Expected<void> all_outputs_set(InferContext& ctx, const char* plugin) {
  for (std::size_t i = 0; i < ctx.input_count(); ++i)
    if (ctx.has_input(i) && ctx.input_element_type(i) == ElementType::dynamic) return {};
  for (std::size_t i = 0; i < ctx.output_count(); ++i) {
    if (ctx.outputs()[i].type.element_type != ElementType::dynamic) continue;
    Diagnostic found =
        error("MO-PLUGIN-0031", "op {} of plugin {}: infer sets no element type for output {}{}", ctx.op().name, plugin,
              i,
              ctx.absent_input() ? fmt::format("; it read input {}, which the node does not have", *ctx.absent_input())
                                 : "")
            .hint(
                "set every output, ctx.output({}, …), and ask has_input before an input is read; tell the author of "
                "the plugin",
                i);
    found.plugin_code = plugin_code_at_work();
    return found;
  }
  return {};
}

/// What readers of a node depend on.
std::vector<TensorFact> output_facts(const Node& node) {
  std::vector<TensorFact> facts;
  for (std::size_t i = 0; i < node.out_port_count(); ++i) facts.push_back(node.out_port(i).data().fact());
  return facts;
}

bool reads_named_type(const FactViews& facts) {
  return std::any_of(facts.begin(), facts.end(),
                     [](const FactView& fact) { return fact.type && is_named(fact.type->element_type); });
}

/// What is known of the outputs of a node whose inputs have these facts. Errors are described as the node's. An op that
/// refuses an input because mo knows its element type by name only keeps the outputs that its creator set: a newer
/// version of the op may take the type.
Expected<std::vector<TensorFact>> infer_outputs(const Node& node, FactViews facts, BodyInference* bodies,
                                                SizeSymbols* symbols) {
  // not the fault of an author
  if (auto spent = spend(work::kInferNode); !spent) return std::move(spent).error().at_node(node.name(), node.type());
  const OpType& type = node.op_type();
  const bool channels_last = type.is_channels_last(node.payload());
  std::optional<std::int64_t> rank;
  std::vector<TensorFact> seen;
  if (channels_last) {
    rank = rank_of_images(type.layout_rule.data_inputs, facts.size(),
                          [&](std::size_t i) { return facts[i].type ? facts[i].type->rank() : std::nullopt; });
    show_channels_first(type, rank, facts, seen);
  }
  InferContext ctx(type, facts, node.out_port_count(), bodies, symbols);
  const PluginCode running(type);
  if (auto result = type.infer(node.payload(), ctx); !result) {
    if (reads_named_type(facts)) return output_facts(node);
    return node.describe(std::move(result).error());
  }
  if (running.of_op_of_plugin())
    if (auto set = all_outputs_set(ctx, running.of_op_of_plugin()); !set) return node.describe(std::move(set).error());
  std::vector<TensorFact>& outputs = ctx.outputs();
  if (channels_last) {
    for (TensorFact& fact : outputs)
      if (is_image(fact.type.rank(), rank)) move_channels(fact, order_to_channels_last);
  } else {
    if (auto result = evaluate_known(type, node.payload(), ctx, outputs); !result)
      return node.describe(std::move(result).error());
    evaluate_partial(type, node.payload(), ctx, outputs);
  }
  for (TensorFact& fact : outputs) {
    if (auto sized = check_size(fact.type); !sized) return node.describe(std::move(sized).error());
    settle_partial(fact);
  }
  return std::move(outputs);
}

/// Infers bodies without touching them.
class BodiesBeside final : public BodyInference {
 public:
  Expected<std::vector<TensorFact>> infer(Graph& body, const std::vector<TensorFact>& inputs,
                                          bool /*repeats*/) override {
    return infer_beside(body, inputs);
  }
  void settle(Graph& /*body*/) override {}
  Expected<void> infer_inlined(Graph& /*graph*/, const std::vector<Node>& nodes) override {
    for (const Node& node : nodes) MO_TRY(infer_node(node));
    return {};
  }
};

}  // namespace

BodyInference& bodies_beside() {
  static BodiesBeside beside;
  return beside;
}

Expected<std::vector<TensorFact>> infer_beside(const Graph& graph, const std::vector<TensorFact>& inputs) {
  MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
  std::vector<TensorFact> known(graph.value_capacity());  // by id of the output port
  const std::vector<Node> parameters = graph.parameters();
  MO_ASSERT(parameters.size() == inputs.size(), "a body gets one fact for each of its Parameters");
  for (std::size_t i = 0; i < parameters.size(); ++i)
    known[parameters[i].output().id().index] = without_symbols({inputs[i].type, {}, {}});
  for (const Node& node : order) {
    if (node.is<Parameter>() || node.is<Result>()) continue;
    if (!node.op_type().infer) {  // a dynamic op: its creator has set its types
      for (const OutPort& port : node.out_ports()) known[port.id().index] = port.data().fact();
      continue;
    }
    FactViews facts(node.in_port_count());
    for (std::size_t i = 0; i < facts.size(); ++i)
      if (const Value source = node.input(i)) facts[i] = view_of(known[source.id().index]);
    MO_ASSIGN(std::vector<TensorFact> outputs, infer_outputs(node, std::move(facts), &bodies_beside(), nullptr));
    for (std::size_t i = 0; i < outputs.size(); ++i) known[node.out_port(i).id().index] = std::move(outputs[i]);
  }
  std::vector<TensorFact> results;
  for (const Node& result : graph.results())
    results.push_back(result.input(0) ? without_symbols(known[result.input(0).id().index]) : TensorFact{});
  return results;
}

Expected<void> infer_node(const Node& node, BodyInference* bodies) {
  const OpType& type = node.op_type();
  if (!type.infer) return {};  // a dynamic op: its creator has set its types
  Graph& graph = node.graph();
  FactViews facts(node.in_port_count());
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (const Value source = node.input(i)) facts[i] = source.data().view();
  MO_ASSIGN(std::vector<TensorFact> outputs, infer_outputs(node, std::move(facts), bodies, &graph.size_symbols()));
  if (bodies && type.traits.owns_bodies)
    for (Graph* body : node.bodies()) bodies->settle(*body);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    TensorFact& fact = outputs[i];
    if (fact.type.shape.has_rank())
      for (Dimension& d : fact.type.shape.dims())
        if (!d.is_known() && d.symbol() == 0) d = Dimension(d.min(), d.max(), graph.new_symbol());
    const PortData data = node.out_port(i).data();
    data.clear_value();
    if (!fact.value.empty()) {
      data.set_value(std::move(fact.value));
    } else {
      data.set_type(fact.type);
      if (fact.partial) data.set_partial_value(*fact.partial);
    }
  }
  return {};
}

bool keeps_declared_types(const Node& node) {
  const OpType& type = node.op_type();
  if (!type.infer) return true;
  FactViews facts(node.in_port_count());
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (const Value source = node.input(i)) facts[i] = source.data().view();
  if (!reads_named_type(facts)) return false;
  InferContext ctx(type, facts, node.out_port_count(), &bodies_beside());
  return !type.infer(node.payload(), ctx);
}

namespace {

bool same_fact(const TensorFact& a, const TensorFact& b) {
  // The same unknown dimension has another symbol after each inference: only its interval counts. Values of equal types
  // may differ.
  if (a.type.element_type != b.type.element_type || a.type.shape.has_rank() != b.type.shape.has_rank()) return false;
  if (a.type.shape.has_rank()) {
    if (a.type.shape.size() != b.type.shape.size()) return false;
    for (std::size_t i = 0; i < a.type.shape.size(); ++i)
      if (a.type.shape[i].min() != b.type.shape[i].min() || a.type.shape[i].max() != b.type.shape[i].max())
        return false;
  }
  return a.value.empty() && b.value.empty() && !a.partial && !b.partial;
}

}  // namespace

Expected<void> infer_edited(Graph& graph) {
  const std::vector<Node> edited = graph.take_edited();
  if (edited.empty()) return {};
  std::vector<bool> stale(graph.node_capacity());
  for (const Node& node : edited) stale[node.id().index] = true;
  MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
  for (const Node& node : order) {
    if (!stale[node.id().index]) continue;
    const std::vector<TensorFact> before = output_facts(node);
    MO_TRY(infer_node(node));
    const std::vector<TensorFact> after = output_facts(node);
    for (std::size_t i = 0; i < after.size(); ++i)
      if (!same_fact(before[i], after[i]))
        for (const InPort& reader : node.out_port(i).get_destinations()) stale[reader.node().id().index] = true;
  }
  return {};
}

Expected<void> infer_graph(Graph& graph) {
  MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
  for (const Node& node : order) MO_TRY(infer_node(node));
  graph.set_has_types(true);
  return {};
}

}  // namespace mo
