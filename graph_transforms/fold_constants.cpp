#include <algorithm>
#include <set>

#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/names.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/engine/services.hpp"
#include "graph_transforms/engine/sorting.hpp"
#include "graph_transforms/support/known_shapes.hpp"
#include "graph_transforms/support/op_table.hpp"
#include "graph_transforms/support/reachability.hpp"
#include "graph_transforms/support/repeatable.hpp"
#include "graph_transforms/support/unused_names.hpp"

namespace mo::graph_transforms {
namespace {

struct FoldingOptions {
  bool clear_output_shapes = true;
  std::int64_t max_bytes = 0;
  bool may_grow = false;  ///< the user chose `max_bytes`
  std::set<std::string, std::less<>> excluded_ops;
  std::set<std::string, std::less<>> excluded_nodes;
};

Expected<FoldingOptions> read_folding_options(const TransformFuncContext& context) {
  constexpr std::int64_t kDefaultBytes = 10 * 1024 * 1024;
  FoldingOptions options;
  MO_ASSIGN(options.clear_output_shapes, context.one_bool("clear_output_shapes", true));
  MO_ASSIGN(options.max_bytes, context.one_int64("max_constant_size_in_bytes", kDefaultBytes));
  options.may_grow = context.count_parameters("max_constant_size_in_bytes") > 0;
  for (const std::string& op : context.parameters("exclude_op")) options.excluded_ops.insert(op);
  for (const std::string& node : context.parameters("exclude_node")) options.excluded_nodes.insert(node);
  return options;
}

bool is_control_flow(std::string_view op) {
  return is_op_of(
      op, "Switch|RefSwitch|Merge|RefMerge|Enter|RefEnter|Exit|RefExit|NextIteration|RefNextIteration|LoopCond");
}

/// Quantised numbers would lose their type: what computes them says integers.
bool makes_quantised(const Node& node) {
  const auto types = output_types_of(node);
  return types && std::any_of(types->begin(), types->end(), [](const AttributeValue& type) {
           const std::string* const name = type.get_if<std::string>();
           return name && name->starts_with("DT_");
         });
}

/// ONNX models keep quantised weights before this op; folding would make them four times as large.
bool unpacks_weights(const Node& node) { return op_of(node) == "DequantizeLinear"; }

std::uint64_t bytes_of(const Node& constant) {
  const std::optional<Tensor> value = constant.attr<Tensor>("value");
  return value ? value->byte_size() : 0;
}

std::uint64_t bytes_of_constants(const Graph& graph) {
  std::uint64_t bytes = 0;
  for (const Node node : graph.nodes())
    if (op_of(node) == "Const") bytes += bytes_of(node);
  return bytes;
}

/// Weights that several nodes read in another form are there several times now.
void warn_of_growth(const TransformFuncContext& context, std::uint64_t before, std::uint64_t after) {
  constexpr std::uint64_t kWorthTelling = 256 * 1024;
  if (after < before + before / 2 || after - before < kWorthTelling) return;
  context.warn(warning("MO-GTT-0066", "constants take {} bytes, and {} once they are folded", before, after)
                   .hint("smaller limits keep the file small: fold_constants(max_constant_size_in_bytes=1000), or "
                         "exclude_op=… for what unpacks weights"));
}

class ConstantFolder {
 public:
  ConstantFolder(GraphEditor& editor, const FoldingOptions& options)
      : editor_(editor), options_(options), context_(editor.context()) {}

  Expected<void> fold() {
    find_foldable();
    std::vector<Value> frontier;
    for (const Node node : editor_.graph().nodes()) {
      if (!is_foldable_[node.id().index] || op_of(node) == "Const") continue;
      for (const OutPort& port : node.out_ports())
        if (is_read_at_run_time(port)) frontier.push_back(port);
    }
    std::sort(frontier.begin(), frontier.end(), [](const Value& a, const Value& b) {
      return std::pair(a.node().name(), a.index()) < std::pair(b.node().name(), b.index());
    });
    std::vector<Diagnostic> why_not;
    const std::vector<std::optional<Tensor>> values = context_.services->evaluate(frontier, why_not);
    for (const Diagnostic& reason : why_not)
      context_.warn(warning("MO-GTT-0029", "a constant was not folded: {}", reason.message)
                        .hint("{}", reason.hint_text)
                        .at_node(reason.node));
    for (std::size_t i = 0; i < frontier.size(); ++i)
      if (values[i] && may_put(frontier[i], *values[i])) put_constant(frontier[i], *values[i]);
    return {};
  }

 private:
  bool may_fold(const Node& node) const {
    const std::string_view op = op_of(node);
    return is_repeatable(node) && !is_control_flow(op) && !options_.excluded_ops.contains(op) &&
           !options_.excluded_nodes.contains(node.name()) && node.in_port_count() > 0 && !makes_quantised(node) &&
           !unpacks_weights(node) && context_.services->can_evaluate(node);
  }

  /// A constant that grew out of next to nothing (Fill, Tile, Range) would only make the file large.
  bool may_put(const Value& value, const Tensor& tensor) const {
    constexpr std::uint64_t kSmall = 64 * 1024;
    constexpr std::uint64_t kGrowth = 16;
    const std::uint64_t bytes = tensor.byte_size();
    if (static_cast<std::int64_t>(bytes) > options_.max_bytes) return false;
    return options_.may_grow || bytes <= kSmall || bytes / kGrowth <= bytes_that_make(value.node());
  }

  /// Of the constants that the node depends on.
  static std::uint64_t bytes_that_make(const Node& made) {
    std::uint64_t bytes = 0;
    std::vector<Node> open{made};
    std::set<NodeId> seen;
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (!seen.insert(node.id()).second) continue;
      if (op_of(node) == "Const") bytes += bytes_of(node);
      for (const InPort& port : node.in_ports())
        if (const Value source = port.get_source()) open.push_back(source.node());
    }
    return bytes;
  }
  /// In order of execution: a node is foldable when all that it reads is.
  void find_foldable() {
    is_foldable_.assign(editor_.graph().node_capacity(), false);
    for (const Node& node : sortable_nodes(editor_.graph())) {
      if (context_.is_input(node.name())) continue;
      const auto ports = node.in_ports();
      // An omitted input does not prevent folding.
      const bool has_constants = std::all_of(ports.begin(), ports.end(), [&](const InPort& port) {
        const Value source = port.get_source();
        return !source || is_foldable_[source.node().id().index];
      });
      is_foldable_[node.id().index] = op_of(node) == "Const" || (has_constants && may_fold(node));
    }
  }

  bool is_read_at_run_time(const Value& value) const {
    // Outputs of the model keep their op.
    if (context_.is_output(value.node().name())) return false;
    const std::vector<InPort> readers = value.get_destinations();
    return std::any_of(readers.begin(), readers.end(),
                       [&](const InPort& reader) { return !is_foldable_[reader.node().id().index]; });
  }

  void put_constant(const Value& value, const Tensor& tensor) {
    const std::string name = fmt::format("{}/_{}__cf__{}", value.node().name(), count_, count_);
    ++count_;
    const Node constant = editor_.create_constant(editor_.free_name(name), tensor);
    // What had to run before any of the folded nodes, still has to run before their readers.
    std::vector<Node> open{value.node()};
    std::set<NodeId> seen;
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (!seen.insert(node.id()).second) continue;
      for (const Node& before : node.control_inputs())
        if (!is_foldable_[before.id().index] && seen.insert(before.id()).second) constant.add_control_input(before);
      for (const InPort& port : node.in_ports())
        if (const Value source = port.get_source()) open.push_back(source.node());
    }
    for (const InPort& reader : value.get_destinations()) {
      // Foldable readers keep the original: they vanish, or are outputs whose parts stay as they are.
      if (!is_foldable_[reader.node().id().index]) editor_.set_input(reader.node(), reader.index(), constant.output());
    }
  }

  GraphEditor& editor_;
  const FoldingOptions& options_;
  const TransformFuncContext& context_;
  std::vector<bool> is_foldable_;
  std::size_t count_ = 0;
};

Expected<void> check_ends(GraphEditor& editor) {
  const TransformFuncContext& context = editor.context();
  if (context.output_names.empty())
    return error("MO-GTT-0019", "Must specify at least one target to fetch or execute")
        .hint("name the outputs of the model: --outputs=…");
  std::set<std::pair<NodeId, std::size_t>> fed;
  const auto tensor_of = [](const Node& node, std::string_view reference) {
    return std::pair(node.id(), port_referred_to(reference, node.name()));
  };
  for (const std::string& input : context.input_names) {
    const Node node = editor.find_referred(input);
    if (!node)
      return error("MO-GTT-0018", "Input node {} not found in graph", node_name_from_input(input))
          .hint("correct --inputs");
    if (!fed.insert(tensor_of(node, input)).second)
      return error("MO-GTT-0019", "{} is fed twice", canonical_input_name(input)).hint("name each input once");
  }
  for (const std::string& output : context.output_names)
    if (const Node node = editor.find_referred(output); node && fed.contains(tensor_of(node, output)))
      return error("MO-GTT-0019", "{} is both fed and fetched", output).hint("correct --inputs or --outputs");
  return {};
}

/// Feeds must be Placeholders: what is fed in the middle of a graph would be computed without effect.
Expected<void> finish_inputs(GraphEditor& editor) {
  for (const std::string& input : editor.context().input_names) {
    const Node node = editor.find_referred(input);
    const std::string_view op = op_of(node);
    if (op == "Placeholder" || op == "PlaceholderV2") continue;
    if (op != "PlaceholderWithDefault")
      return node
          .error("MO-GTT-0019", "Input '{}' was expected to be a Placeholder or PlaceholderWithDefault op, but was {}",
                 node.name(), op)
          .hint("apply strip_unused_nodes before");
    AttributeMap attributes;
    for (const std::string_view name : {"dtype", "shape"})
      if (node.has_attr(name)) attributes.set(name, node.attribute(name));
    const std::string name(node.name());
    editor.replace(node, editor.create("Placeholder", editor.free_name(name + "_fed"), {}, std::move(attributes)));
  }
  return {};
}

Expected<void> fold_constants(Graph& graph, const TransformFuncContext& context) {
  MO_ASSERT(context.services != nullptr, "the caller does not support folding");
  if (framework_of(graph) == "caffe")
    return error("MO-GTT-0058", "a Caffe net has constants only as weights of its layers: there is nothing to fold")
        .hint("leave the transform out; fold_batch_norms folds layers into weights");
  MO_ASSIGN(const FoldingOptions options, read_folding_options(context));
  warn_of_unknown_ops(graph, context, "exclude_op");
  warn_of_unknown_nodes(graph, context, "exclude_node");
  GraphEditor editor(graph, context);
  MO_TRY(check_ends(editor));
  if (options.clear_output_shapes)
    for (const Node node : graph.nodes()) attributes_of(node).erase("_output_shapes");
  MO_TRY(erase_unreachable(editor));
  const std::uint64_t bytes = bytes_of_constants(graph);
  MO_TRY(fold_known_shapes(editor));
  MO_TRY(ConstantFolder(editor, options).fold());
  MO_TRY(erase_unreachable(editor));
  warn_of_growth(context, bytes, bytes_of_constants(graph));
  return finish_inputs(editor);
}

}  // namespace

/// What depends on constants only, or on shapes that are known, is computed, up to `max_constant_size_in_bytes` (10
/// MiB) for each; what --outputs do not need goes. Ops of `exclude_op` and nodes of `exclude_node` stay, and so do ops
/// that we cannot compute, and what would grow out of next to nothing.
void register_fold_constants(TransformRegistry& registry) {
  registry.register_transform("fold_constants", Scope::any, fold_constants);
  registry.describe(
      "fold_constants",
      {"Computes what depends on constants or known shapes only",
       {{"clear_output_shapes", "true or false", "true", "remove the attribute _output_shapes from all nodes"},
        {"exclude_op", "text", "", "operators that are not folded; may be repeated"},
        {"exclude_node", "text", "", "nodes that are not folded; may be repeated"},
        {"max_constant_size_in_bytes", "integer", "10485760", "size of the largest constant to create"}}});
}

}  // namespace mo::graph_transforms
