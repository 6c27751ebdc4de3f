#include "phases/back/boundary_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/graph/model_ends.hpp"
#include "core/rewrite.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::phases {
namespace {

class Naming {
 public:
  Naming(Graph& graph, bool is_v10) : graph_(graph), is_v10_(is_v10), rw_(graph) {}

  Expected<bool> run() {
    for (const Node& parameter : graph_.parameters()) name_input(parameter);
    for (const Node& result : graph_.results())
      if (result.input(0)) MO_TRY(name_output(result));
    name_tensors();
    if (rw_.error()) return *rw_.error();
    return changed_ || rw_.has_changed();
  }

 private:
  void name_input(const Node& parameter) {
    const std::string wanted(public_name(parameter));
    if (!wanted.empty()) rename(parameter, wanted);
    claimed_.insert(parameter.id());
  }

  Expected<void> name_output(const Node& result) {
    const std::string wanted(public_name(result));
    const Node producer = result.input(0).node();
    if (wanted.empty()) return {};
    const bool is_single = producer.out_port_count() == 1;
    if (is_single && producer.name() == wanted) {
      claimed_.insert(producer.id());
    } else if (is_single && claimed_.insert(producer.id()).second) {
      rename(producer, wanted);
    } else if (is_v10_ ? !producer.is<Parameter>() : !is_single && producer.name() != wanted) {
      const Value copy = copy_of(result.input(0));
      if (!copy) return {};
      MO_TRY(result.in_port(0).connect(copy));
      copy.data().add_tensor_names_of(copy.node().input(0).data());
      copy.node().input(0).data().clear_tensor_names();
      rename(copy.node(), wanted);
      claimed_.insert(copy.node().id());
    }
    return {};
  }

  /// Runtimes of version 10 take a Convert to the same type away together with its name: there it is the addition of
  /// zero, as in the original.
  Value copy_of(const Value& tensor) {
    const ElementType type = tensor.type().element_type;
    if (!is_v10_) return rw_.create(ops::Convert{.destination_type = type}, tensor);
    return type == ElementType::boolean ? Value() : rw_.create(ops::Add{}, tensor, rw_.scalar_like(tensor, 0));
  }

  /// Another node may have the name: UniqueNames gives that one another.
  void rename(const Node& node, const std::string& name) {
    if (node.name() == name) return;
    node.set_name(name);
    changed_ = true;
  }

  void name_tensors() {
    std::vector<Node> ends = graph_.parameters();
    for (const Node& result : graph_.results())
      if (result.input(0)) ends.push_back(result);
    // Very many outputs may be one tensor with a name for each of them (Split of Caffe).
    std::unordered_set<ValueId> seen;
    std::erase_if(ends, [&](const Node& end) { return !seen.insert(tensor_of_end(end).id()).second; });
    name_after_nodes(ends);
    std::unordered_set<std::string_view> taken;  // names inside of the model all have a port
    for (const Node& end : ends)
      for (const std::string_view name : tensor_of_end(end).data().tensor_names()) taken.insert(name);
    for (const Node& end : ends) {
      const Value tensor = tensor_of_end(end);
      const std::vector<std::string_view> names = tensor.data().tensor_names();
      if (end.origin().framework != "TensorFlow") continue;
      for (const std::string_view name : names)
        if (name.ends_with(":0") && taken.insert(name.substr(0, name.size() - 2)).second)
          add(tensor, name.substr(0, name.size() - 2));
    }
  }

  /// Tensors without a name are called after their nodes. A layer of Caffe may write where it reads: then the name of
  /// its blob belongs to the tensor of a later layer, which gives it back.
  void name_after_nodes(const std::vector<Node>& ends) {
    std::vector<std::pair<Value, std::string>> unnamed;
    std::unordered_set<std::string_view> wanted;
    for (const Node& end : ends) {
      const Value tensor = tensor_of_end(end);
      const Node node = tensor.node();
      if (tensor.data().first_tensor_name().empty())
        unnamed.emplace_back(tensor, node.out_port_count() == 1 ? std::string(node.name())
                                                                : fmt::format("{}:{}", node.name(), tensor.index()));
    }
    if (unnamed.empty()) return;
    for (const auto& [tensor, name] : unnamed) wanted.insert(name);
    for (const Node other : graph_.nodes())
      for (const OutPort& port : other.out_ports()) {
        const std::vector<std::string_view> names = port.data().tensor_names();
        if (std::none_of(names.begin(), names.end(), [&](std::string_view name) { return wanted.contains(name); }))
          continue;
        port.data().clear_tensor_names();
        for (const std::string_view kept : names)
          if (!wanted.contains(kept)) port.data().add_tensor_name(kept);
      }
    for (const auto& [tensor, name] : unnamed) add(tensor, name);
  }

  void add(const Value& tensor, std::string_view name) {
    tensor.data().add_tensor_name(name);
    changed_ = true;
  }

  Graph& graph_;
  bool is_v10_;
  Rewriter rw_;
  std::unordered_set<NodeId> claimed_;  ///< their names are those of an input, or of another output
  bool changed_ = false;
};

}  // namespace

Pass boundary_names() {
  return graph_pass("BoundaryNames")
      .phase(Phase::finish)
      .run_after({"FinalInference"})
      .only_top_level()
      .run([](Graph& graph, PassContext& context) -> Expected<bool> {
        return Naming(graph, context.settings.ir_version == 10).run();
      });
}

}  // namespace mo::phases
