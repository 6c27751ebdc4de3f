#include "frontends/tensorflow/variables.hpp"

#include <algorithm>
#include <array>

#include "core/tensor/convert.hpp"
#include "frontends/common/fields.hpp"
#include "frontends/tensorflow/checkpoint/checkpoint.hpp"
#include "frontends/tensorflow/checkpoint/object_graph.hpp"
#include "frontends/tensorflow/fields.hpp"
#include "frontends/tensorflow/graph_def/keys.hpp"
#include "frontends/tensorflow/model_state.hpp"

namespace mo::tensorflow {

using frontends::WireField;
using frontends::WireReader;
using frontends::WireSource;

namespace {

constexpr std::array<std::string_view, 4> kVariables = {"VariableV2", "Variable", "VarHandleOp", "AutoReloadVariable"};
constexpr std::string_view kValueAttribute = "VARIABLE_VALUE";
constexpr std::string_view kObjectGraphKey = "_CHECKPOINTABLE_OBJECT_GRAPH";

/// The strings of a Const that input `i` of `node` reads, also through Identity; nothing when it is anything else.
std::optional<std::vector<std::string>> constant_strings(const Node& node, std::size_t i) {
  constexpr int kMostCopies = 100;  // a damaged model may have them in a circle
  Value source = node.input(i);
  for (int copies = 0; copies < kMostCopies && source && op_of(source.node()) == "Identity"; ++copies)
    source = source.node().input(0);
  if (!source || op_of(source.node()) != "Const") return std::nullopt;
  const AttributeValue value = source.node().attribute("value");
  const auto* tensor = value.get_if<Tensor>();
  if (!tensor || tensor->element_type() != ElementType::string) return std::nullopt;
  auto strings = to_strings(*tensor);
  return strings ? std::optional(*std::move(strings)) : std::nullopt;
}

bool is_assign(const Node& node) { return op_of(node) == "Assign" || op_of(node) == "AssignVariableOp"; }

/// What runs before `restore_op`: its assignments, perhaps through a node for each shard. Everything when there is no
/// such node.
class RestoredBy {
 public:
  RestoredBy(const Graph& graph, std::string_view restore_op) {
    const Node last = restore_op.empty() ? Node() : graph.find_node(restore_op);
    if (!last) return;
    runs_.emplace(graph.node_capacity());
    std::vector<Node> open{last};
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if ((*runs_)[node.id().index]) continue;
      (*runs_)[node.id().index] = true;
      for (const Node& before : node.control_inputs()) open.push_back(before);
    }
  }
  bool runs(const Node& node) const { return !runs_ || (*runs_)[node.id().index]; }

 private:
  std::optional<std::vector<bool>> runs_;
};

/// The variables that `value` is assigned to, directly or through Identity.
void collect_assigned(const Value& value, const RestoredBy& restored, std::vector<Node>& variables, int depth = 0) {
  for (const InPort& reader : value.get_destinations()) {
    const Node node = reader.node();
    if (op_of(node) == "Identity" && depth < 4) collect_assigned(node.out_port(0), restored, variables, depth + 1);
    if (is_assign(node) && restored.runs(node) && reader.index() == 1 && node.input(0))
      variables.push_back(node.input(0).node());
  }
}

/// What is needed of a SavedObjectGraph.
struct SavedObjects {
  struct Child {
    std::int64_t id;
    std::string name;
  };
  std::vector<std::vector<Child>> children;
  frontends::HashMap<std::string, std::vector<std::int64_t>> captured;  ///< function -> objects
};

Expected<SavedObjects> read_saved_objects(WireSource& source, const WireField& message) {
  SavedObjects objects;
  MO_ASSIGN(WireReader reader, message_of(source, message));
  MO_TRY(reader.each([&](const WireField& field) -> Expected<void> {
    if (field.number == saved_objects_field::kNode) {
      std::vector<SavedObjects::Child>& children = objects.children.emplace_back();
      MO_ASSIGN(WireReader object, message_of(source, field));
      return object.each([&](const WireField& part) -> Expected<void> {
        if (part.number != saved_object_field::kChild) return {};
        SavedObjects::Child child{0, {}};
        MO_ASSIGN(WireReader reference, message_of(source, part));
        MO_TRY(reference.each([&](const WireField& item) -> Expected<void> {
          if (item.number == child_field::kId) {
            MO_ASSIGN(child.id, integer_of(item));
          } else if (item.number == child_field::kLocalName) {
            MO_ASSIGN(child.name, text_of(source, item, 64 * 1024));
          }
          return {};
        }));
        children.push_back(std::move(child));
        return {};
      });
    }
    if (field.number != saved_objects_field::kConcreteFunction) return {};
    std::string function;
    std::vector<std::int64_t> captured;
    MO_ASSIGN(WireReader entry, message_of(source, field));
    MO_TRY(entry.each([&](const WireField& part) -> Expected<void> {
      if (part.number == frontends::entry_field::kKey) {
        MO_ASSIGN(function, text_of(source, part, 64 * 1024));
        return {};
      }
      if (part.number != frontends::entry_field::kValue) return {};
      MO_ASSIGN(WireReader concrete, message_of(source, part));
      return concrete.each([&](const WireField& item) -> Expected<void> {
        if (item.number != concrete_function_field::kBoundInputs) return {};
        return each_varint(source, item, [&](std::uint64_t id) -> Expected<void> {
          return captured.push_back(static_cast<std::int64_t>(id)), Expected<void>();
        });
      });
    }));
    objects.captured[function] = std::move(captured);
    return {};
  }));
  return objects;
}

/// Checkpoint key of each saved object. The objects of the model and those of the checkpoint are two graphs; they are
/// walked together, from their roots along children of the same name.
frontends::HashMap<std::int64_t, std::string> keys_of_objects(const SavedObjects& saved, const ObjectGraph& stored) {
  frontends::HashMap<std::int64_t, std::string> keys;
  frontends::HashMap<std::int64_t, bool> seen = {{0, true}};
  // What many objects ask one stored object for is looked up once.
  struct Stored {
    const std::string* key = nullptr;
    frontends::HashMap<std::string_view, std::int64_t> children;
  };
  frontends::HashMap<std::int64_t, Stored> known;
  const auto stored_at = [&](std::int64_t id) -> const Stored& {
    const auto [place, is_first] = known.try_emplace(id);
    if (!is_first) return place->second;
    const ObjectGraph::Node& object = stored.nodes[static_cast<std::size_t>(id)];
    for (const ObjectGraph::Attribute& attribute : object.attributes)
      if (attribute.name == kValueAttribute && !place->second.key) place->second.key = &attribute.checkpoint_key;
    for (const ObjectGraph::Child& child : object.children)
      place->second.children.try_emplace(child.local_name, child.id);
    return place->second;
  };
  std::vector<std::pair<std::int64_t, std::int64_t>> stack = {{0, 0}};
  while (!stack.empty()) {
    const auto [saved_id, stored_id] = stack.back();
    stack.pop_back();
    if (saved_id < 0 || saved_id >= static_cast<std::int64_t>(saved.children.size())) continue;
    if (stored_id < 0 || stored_id >= static_cast<std::int64_t>(stored.nodes.size())) continue;
    const Stored& object = stored_at(stored_id);
    if (object.key) keys.try_emplace(saved_id, *object.key);
    for (const SavedObjects::Child& child : saved.children[static_cast<std::size_t>(saved_id)]) {
      const auto match = object.children.find(child.name);
      if (match != object.children.end() && seen.try_emplace(child.id, true).second)
        stack.emplace_back(child.id, match->second);
    }
  }
  return keys;
}

/// The function that a call names: a text in a graph that is converted, a map in one that is only rewritten.
std::optional<std::string> called_function(const Node& call) {
  const AttributeValue function = call.attribute("f");
  if (!function.map()) return call.attr<std::string>("f");
  const AttributeValue* const name = function.map()->find(kept_key::kFunction);
  const std::string* const text = name ? name->get_if<std::string>() : nullptr;
  return text ? std::optional(*text) : std::nullopt;
}

}  // namespace

bool is_variable(const Node& node) {
  return std::find(kVariables.begin(), kVariables.end(), op_of(node)) != kVariables.end();
}

VariableBinder::VariableBinder() = default;
VariableBinder::~VariableBinder() = default;

Expected<void> VariableBinder::open(const std::string& prefix, Links links, DiagnosticSink& sink) {
  MO_ASSIGN(checkpoint_, Checkpoint::open(prefix, sink, links));
  return {};
}

Expected<void> VariableBinder::find_restored(const Graph& graph, std::string_view restore_op) {
  if (!checkpoint_) return {};
  const RestoredBy restored(graph, restore_op);
  for (const Node node : graph.nodes()) {
    const std::string_view op = op_of(node);
    if (op != "RestoreV2" && op != "RestoreSlice" && op != "Restore") continue;
    const auto names = constant_strings(node, 1);
    const auto slices = op == "Restore" ? std::nullopt : constant_strings(node, 2);
    if (!names) continue;
    for (std::size_t i = 0; i < node.out_port_count() && i < names->size(); ++i) {
      std::vector<Node> variables;
      collect_assigned(node.out_port(i), restored, variables);
      for (const Node& variable : variables)
        if (is_variable(variable))
          bindings_.try_emplace(std::string(variable.name()),
                                Binding{(*names)[i], slices && i < slices->size() ? (*slices)[i] : std::string()});
    }
  }
  return {};
}

Expected<void> VariableBinder::find_captured(WireSource& source, const WireField& message, const Graph& graph) {
  if (!checkpoint_ || !checkpoint_->contains(kObjectGraphKey)) return {};
  MO_ASSIGN(const SavedObjects saved, read_saved_objects(source, message));
  MO_ASSIGN(const Tensor stored, checkpoint_->read(kObjectGraphKey));
  MO_ASSIGN(const std::vector<std::string> texts, to_strings(stored));
  if (texts.size() != 1) return {};
  MO_ASSIGN(const ObjectGraph objects, read_object_graph(texts.front()));
  const auto keys = keys_of_objects(saved, objects);
  for (const Node node : graph.nodes()) {
    const std::optional<std::string> function = called_function(node);
    if (!function) continue;
    const auto captured = saved.captured.find(*function);
    if (captured == saved.captured.end() || captured->second.size() > node.in_port_count()) continue;
    // What a function captured comes after its own arguments.
    const std::size_t first = node.in_port_count() - captured->second.size();
    for (std::size_t i = 0; i < captured->second.size(); ++i) {
      const Value argument = node.input(first + i);
      const auto key = keys.find(captured->second[i]);
      if (argument && key != keys.end() && is_variable(argument.node()))
        bindings_.insert_or_assign(std::string(argument.node().name()), Binding{key->second, {}});
    }
  }
  return {};
}

Expected<VariableBinder::Found> VariableBinder::find_value(const Node& variable) const {
  if (!checkpoint_) return Found{};
  Binding binding;
  if (const auto known = bindings_.find(std::string(variable.name())); known != bindings_.end()) {
    binding = known->second;
  } else {
    const std::string shared = variable.attr<std::string>("shared_name").value_or("");
    for (const std::string& name : {shared, std::string(variable.name())})
      for (const char* suffix : {"", "/.ATTRIBUTES/VARIABLE_VALUE"})
        if (binding.key.empty() && !name.empty() && checkpoint_->contains(name + suffix)) binding.key = name + suffix;
    if (binding.key.empty())
      return Found{std::nullopt, fmt::format("the checkpoint has no tensor '{}'",
                                             shared.empty() ? std::string(variable.name()) : shared)};
  }
  Expected<Tensor> value = [&]() -> Expected<Tensor> {
    MO_ASSIGN(const auto slice, parse_shape_and_slice(binding.slice));
    if (slice) return checkpoint_->read_slice(binding.key, *slice);
    return checkpoint_->read(binding.key);
  }();
  if (!value) return variable.describe(std::move(value).error());
  const auto dtype = variable.attr<ElementType>("dtype");
  const auto shape = variable.attr<PartialShape>("shape");
  if ((dtype && *dtype != value->element_type()) || (shape && !shape->compatible(PartialShape(value->shape()))))
    return variable
        .error("MO-TF-0041", "the variable is {}{}, tensor '{}' of the checkpoint is {}",
               dtype ? to_string(*dtype) : "", shape ? shape->to_string() : "", binding.key, value->type().to_string())
        .hint("the checkpoint belongs to another version of the model");
  return Found{*std::move(value), {}};
}

Expected<void> VariableBinder::bind_variable(Graph& graph, const Node& node) {
  MO_ASSIGN(Found found, find_value(node));
  if (!found.value) return found.problem.empty() ? Expected<void>() : node.set_attr("@problem", found.problem);
  const Node constant = graph.create_constant(*std::move(found.value), node.name());
  constant.set_origin(node.origin());
  constant.add_sources_of(node);
  constant.out_port(0).data().add_tensor_names_of(node.out_port(0).data());
  for (const InPort& reader : node.out_port(0).get_destinations()) MO_TRY(reader.connect(constant.out_port(0)));
  graph.erase(node);
  return {};
}

Expected<void> VariableBinder::bind(Graph& graph) {
  std::vector<Node> variables;
  for (const Node node : graph.nodes())
    if (is_variable(node)) variables.push_back(node);
  for (const Node& node : variables) MO_TRY(bind_variable(graph, node));
  return {};
}

}  // namespace mo::tensorflow
