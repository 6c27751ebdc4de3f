#include "transformations/control_flow/support/encoder_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph/model_ends.hpp"
#include "core/pass/rewriter.hpp"
#include "ops/assign.hpp"
#include "ops/read_value.hpp"

namespace mo::transformations {
namespace {

/// What the outputs of a node depend on.
struct Dependence {
  bool on_source = false;    ///< on the source, in whatever way
  bool on_elements = false;  ///< on its elements, not on its sizes only
  bool on_others = false;    ///< on another input, or on a state
  bool is_read_outside = false;

  bool is_inner() const { return on_source && !on_others; }
  bool is_size() const { return is_inner() && !on_elements; }
};

class KeptValues {
 public:
  KeptValues(Graph& graph, const Node& source)
      : rw_(graph), graph_(graph), source_(source), dependences_(graph.node_capacity()) {}

  Expected<void> run() {
    MO_ASSIGN(const std::vector<Node> order, graph_.topological_order());
    for (const Node& node : order) dependences_[node.id().index] = dependence_of(node);
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      const std::vector<OutPort> outputs = node->out_ports();
      dependences_[node->id().index].is_read_outside =
          std::any_of(outputs.begin(), outputs.end(), [this](const Value& value) {
            const std::vector<InPort> readers = value.get_destinations();
            return std::any_of(readers.begin(), readers.end(),
                               [this](const InPort& reader) { return is_outside(reader.node()); });
          });
    }
    for (const Node& node : order) {
      if (const auto* read = node.as<ops::ReadValue>()) used_.insert(read->variable_id);
    }
    for (const Node& node : order) {
      const Dependence& of = dependences_[node.id().index];
      if (!of.is_inner() || !of.is_read_outside) continue;
      if (of.is_size())
        compute_anew(node);
      else
        keep_outputs(node);
    }
    if (rw_.error()) return Error(*rw_.error());
    return {};
  }

 private:
  Dependence dependence_of(const Node& node) const {
    Dependence made;
    if (node == source_) return {.on_source = true, .on_elements = true};
    made.on_others = node.is<Parameter>() || node.is<Result>() || node.op_type().traits.stateful;
    for (std::size_t i = 0; i < node.in_port_count(); ++i) {
      const Value input = node.input(i);
      if (!input) continue;
      const Dependence& of = dependences_[input.node().id().index];
      made.on_source |= of.on_source;
      made.on_elements |= of.on_elements;
      made.on_others |= of.on_others;
    }
    if (node.op_type().traits.shape_of) made.on_elements = false;
    return made;
  }

  /// Whether the node is computed in each run.
  bool is_outside(const Node& node) const {
    const Dependence& of = dependences_[node.id().index];
    return !of.is_inner() || (of.is_size() && of.is_read_outside);
  }

  void keep_outputs(const Node& node) {
    for (const Value& value : node.out_ports()) {
      const std::vector<InPort> readers = outside_readers(value);
      if (readers.empty()) continue;
      const std::string variable = variable_of(value);
      const Value read = rw_.create(ops::ReadValue{.variable_id = variable}, value);
      rw_.create(ops::Assign{.variable_id = variable}, read);
      if (is_model_output(value)) move_names(value, read);
      hand_on(value, read, readers);
    }
  }

  /// An output of the model is called as before.
  static void move_names(const Value& value, const Value& read) {
    read.data().add_tensor_names_of(value.data());
    if (read.data().first_tensor_name().empty()) read.data().add_tensor_name(value.node().name());
    value.data().clear_tensor_names();
  }

  /// The sizes of a variable, for readers outside; first values need those of the source.
  void compute_anew(const Node& node) {
    std::vector<Value> inputs;
    for (std::size_t i = 0; i < node.in_port_count(); ++i) {
      const Value input = node.input(i);
      const auto found = input ? outside_.find(input.id()) : outside_.end();
      inputs.push_back(found == outside_.end() ? input : found->second);
    }
    const Node made = rw_.copy_with_new_inputs(node, inputs);
    for (const Value& value : node.out_ports()) hand_on(value, made.output(value.index()), outside_readers(value));
    erase_if_dead(node);
  }

  std::vector<InPort> outside_readers(const Value& value) const {
    std::vector<InPort> readers = value.get_destinations();
    std::erase_if(readers, [this](const InPort& reader) { return !is_outside(reader.node()); });
    return readers;
  }

  /// Sizes get copies of their own, which read `made`.
  void hand_on(const Value& value, const Value& made, const std::vector<InPort>& readers) {
    outside_.emplace(value.id(), made);
    for (const InPort& reader : readers)
      if (!dependences_[reader.node().id().index].is_size()) rw_.set_input(reader.node(), reader.index(), made);
  }

  /// The name of the tensor, or of the node (of the framework) and its output; no other variable has it.
  std::string variable_of(const Value& value) {
    const std::vector<std::string_view> names = value.data().tensor_names();
    const Node node = value.node();
    const std::vector<std::string_view> sources = node.sources();
    const std::string_view of_node = !node.name().empty() ? node.name()
                                     : !sources.empty()   ? sources.front()
                                                          : node.type();
    const std::string name = names.empty() ? fmt::format("{}.{}", of_node, value.index()) : std::string(names.front());
    std::string made = name;
    for (int i = 1; !used_.insert(made).second; ++i) made = fmt::format("{}_{}", name, i);
    return made;
  }

  Rewriter rw_;
  Graph& graph_;
  Node source_;
  std::vector<Dependence> dependences_;         ///< by the id of a node that was there before
  std::unordered_map<ValueId, Value> outside_;  ///< what takes the place of a value there
  std::set<std::string> used_;                  ///< variables
};

}  // namespace

Expected<void> keep_values_of(Graph& graph, const Node& source) { return KeptValues(graph, source).run(); }

}  // namespace mo::transformations
