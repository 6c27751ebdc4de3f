#include <algorithm>
#include <cmath>

#include "core/tensor/convert.hpp"
#include "graph_transforms/engine/matching.hpp"
#include "graph_transforms/engine/names.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/engine/services.hpp"
#include "graph_transforms/support/constants.hpp"

namespace mo::graph_transforms {
namespace {

/// Smaller numbers are left out of the table.
constexpr float kLeastWeight = 1e-5F;

struct SparseWeights {
  std::vector<std::int64_t> indices;
  std::vector<float> values;
};

SparseWeights sparse(std::span<const float> weights) {
  SparseWeights found;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (std::fabs(weights[i]) < kLeastWeight) continue;
    found.indices.push_back(static_cast<std::int64_t>(i));
    found.values.push_back(weights[i]);
  }
  // A table cannot be empty.
  if (found.indices.empty()) found = {{0}, {0}};
  return found;
}

/// What tells a variable from the constant it was: where its value is saved.
struct SavedPlace {
  std::string key;
  std::string slice;  ///< as RestoreV2 writes it; empty: the whole tensor
};

/// "name" of "name/part_3".
std::string without_part(const std::string& name) {
  const std::size_t slash = name.rfind("/part_");
  const bool is_part = slash != std::string::npos &&
                       name.find_first_not_of("0123456789", slash + 6) == std::string::npos && slash + 6 < name.size();
  return is_part ? name.substr(0, slash) : name;
}

/// Element `i` of a Const of strings.
std::optional<std::string> text_in(const Node& node, std::size_t i) {
  const std::optional<Tensor> value = op_of(node) == "Const" ? node.attr<Tensor>("value") : std::nullopt;
  if (!value || value->element_type() != ElementType::string) return std::nullopt;
  auto texts = to_strings(*value);
  return texts && i < texts->size() ? std::optional((*texts)[i]) : std::nullopt;
}

class GatherSparsifier {
 public:
  GatherSparsifier(GraphEditor& editor, std::string checkpoint, std::string group)
      : editor_(editor), checkpoint_(std::move(checkpoint)), group_name_(std::move(group)) {}

  Expected<void> run() {
    const OpTypePattern any{"*", {}};
    const OpTypePattern weights{"Identity", {{"Const|Variable|VariableV2", {}}}};
    const ReplaceFunc replace = [this](const NodeMatch& match, GraphEditor&) { return sparsify(match); };
    // Of weights that several Gathers read, each Gather has the same table.
    const ReplaceOptions shared{.allow_inconsistencies = true};
    MO_TRY(replace_all_matching_op_types(editor_, {"Gather", {weights, any}}, replace, shared));
    MO_TRY(replace_all_matching_op_types(editor_, {"GatherV2", {weights, any, {"Const", {}}}}, replace, shared));
    return {};
  }

 private:
  Expected<bool> sparsify(const NodeMatch& match) {
    const Node gather = match.node;
    const Node identity = match.inputs[0].node;
    const Node weights = match.inputs[0].inputs[0].node;
    if (match.inputs.size() == 3 && single_number_in(match.inputs[2].node) != 0)
      return gather.error("MO-GTT-0050", "gathers along another axis than 0")
          .hint("tables look up whole rows; leave sparsify_gather out");
    MO_ASSIGN(const Node table, table_of(weights));
    put_lookup(gather, table);
    editor_.erase_unneeded({identity});
    remove_assignments(weights);
    editor_.erase_unneeded({weights});
    return true;
  }

  /// The table of the weights, made once for all that gather from them.
  Expected<Node> table_of(const Node& weights) {
    const std::string name(weights.name());
    if (const auto found = tables_.find(name); found != tables_.end()) return found->second;
    MO_ASSIGN(const Tensor values, value_of(weights));
    if (values.element_type() != ElementType::f32 || values.rank() != 2 || values.shape()[1] != 1)
      return weights
          .error("MO-GTT-0050", "weights are {}{}, not floats of a shape [N,1]", to_string(values.element_type()),
                 to_string(values.shape()))
          .hint("only numeric columns become tables; leave sparsify_gather out");
    MO_ASSIGN(const Tensor loaded, values.load());
    const SparseWeights entries = sparse(loaded.values<float>());
    const Node indices = editor_.create_constant(editor_.free_name(name + "/indices"), Tensor::vector(entries.indices));
    const Node numbers = editor_.create_constant(editor_.free_name(name + "/values"), Tensor::vector(entries.values));
    const Node table = editor_.create(
        "HashTable", editor_.free_name(name + "/HashTable"), {},
        AttributeMap{
            {"key_dtype", ElementType::i64}, {"value_dtype", ElementType::f32}, {"shared_name", name + "/HashTable"}});
    const Node filled = editor_.create("InitializeTable", editor_.free_name(name + "/InitializeTable"),
                                       {table.output(), indices.output(), numbers.output()},
                                       AttributeMap{{"Tkey", ElementType::i64}, {"Tval", ElementType::f32}});
    group().add_control_input(filled);
    tables_.emplace(name, table);
    return table;
  }

  Expected<Tensor> value_of(const Node& weights) const {
    if (op_of(weights) == "Const") return editor_.constant_of(weights);
    if (checkpoint_.empty())
      return weights.error("MO-GTT-0050", "the value of a variable is not in the graph")
          .hint("specify its path: sparsify_gather(input_checkpoint=\"model.ckpt\")");
    MO_ASSERT(editor_.context().services != nullptr, "the caller does not support reading variables");
    const SavedPlace place = saved_place(weights);
    auto value = editor_.context().services->variable(checkpoint_, place.key, place.slice);
    if (!value) return weights.describe(std::move(value).error());
    return value;
  }

  /// By the RestoreV2 that feeds the Assign of the variable; otherwise under the variable's own name.
  static SavedPlace saved_place(const Node& variable) {
    for (const InPort& reader : variable.output().get_destinations()) {
      if (op_of(reader.node()) != "Assign" || reader.index() != 0) continue;
      const Value restored = reader.node().input(1);
      if (op_of(restored.node()) != "RestoreV2" || restored.node().in_port_count() != 3) continue;
      const auto key = text_in(restored.node().input(1).node(), restored.index());
      if (key) return {*key, text_in(restored.node().input(2).node(), restored.index()).value_or("")};
    }
    return {without_part(std::string(variable.name())), ""};
  }

  /// Gather(weights, ids) -> ExpandDims(LookupTableFind(table, ids, 0), -1), under the name of the Gather.
  void put_lookup(const Node& gather, const Node& table) {
    const std::string name(gather.name());
    const Node none = editor_.create_constant(editor_.free_name(name + "/Const"), Tensor::scalar(0.0F));
    const Node last =
        editor_.create_constant(editor_.free_name(name + "/ExpandDims/Const"), Tensor::scalar<std::int32_t>(-1));
    Value ids = gather.input(1);
    if (gather.attribute("Tindices") == AttributeValue(ElementType::i32))
      ids = editor_
                .create("Cast", editor_.free_name(name + "/Cast"), {ids},
                        AttributeMap{{"SrcT", ElementType::i32}, {"DstT", ElementType::i64}})
                .output();
    const Node found = editor_.create("LookupTableFind", editor_.free_name(name + "/LookupTableFind"),
                                      {table.output(), ids, none.output()},
                                      AttributeMap{{"Tin", ElementType::i64}, {"Tout", ElementType::f32}});
    const Node column =
        editor_.create("ExpandDims", editor_.free_name(name + "/ExpandDims"), {found.output(), last.output()},
                       AttributeMap{{"T", ElementType::f32}, {"Tdim", ElementType::i32}});
    const Node axis = gather.in_port_count() == 3 ? gather.input(2).node() : Node();
    editor_.replace(gather, column);
    if (axis) editor_.erase_unneeded({axis});
  }

  /// A variable without readers is not to be restored, either.
  void remove_assignments(const Node& weights) {
    std::vector<Node> assignments;
    for (const InPort& reader : weights.output().get_destinations()) {
      if (op_of(reader.node()) != "Assign" || reader.index() != 0 || !reader.node().output().disconnected()) return;
      assignments.push_back(reader.node());
    }
    for (const Node& assignment : assignments) editor_.erase(assignment);
  }

  /// The NoOp that fills all tables when it runs.
  Node group() {
    if (const Node found = editor_.find(group_name_)) return found;
    return editor_.create("NoOp", group_name_, {}, {}, 1);
  }

  GraphEditor& editor_;
  std::string checkpoint_;
  std::string group_name_;
  std::map<std::string, Node, std::less<>> tables_;
};

Expected<void> sparsify_gather(Graph& graph, const TransformFuncContext& context) {
  MO_ASSIGN(std::string checkpoint, context.one_string("input_checkpoint", ""));
  MO_ASSIGN(std::string group, context.one_string("group_init_node", "group_deps"));
  GraphEditor editor(graph, context);
  for (const Node node : graph.nodes()) attributes_of(node).erase("_output_shapes");
  return GatherSparsifier(editor, std::move(checkpoint), std::move(group)).run();
}

}  // namespace

/// Gather(weights, ids) with weights [N,1], of which few are not zero -> a lookup in a table of those that are not.
/// Running the NoOp `group_init_node` (group_deps) fills the tables. Values of variables come from `input_checkpoint`.
void register_sparsify_gather(TransformRegistry& registry) {
  registry.register_transform("sparsify_gather", sparsify_gather);
  registry.describe("sparsify_gather",
                    {"Turns Gather from a column with few values into a lookup in a table",
                     {{"input_checkpoint", "text", "", "prefix of the checkpoint with the values of variables"},
                      {"group_init_node", "text", "group_deps", "the node that fills all tables"}}});
}

}  // namespace mo::graph_transforms
