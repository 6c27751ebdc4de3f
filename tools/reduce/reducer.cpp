#include "tools/reduce/reducer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/graph/inlining.hpp"
#include "core/tensor/convert.hpp"
#include "tools/reduce/anonymity.hpp"

namespace mo::tools {
namespace {

/// Constants of fewer elements are shapes and axes rather than weights, unless they are reals.
constexpr std::int64_t kLeastWeights = 17;

class Reducer {
 public:
  Reducer(const Graph& model, const ModelForm& form, const std::map<std::string, TensorType>& types,
          const HoldsTest& test, const ReduceLimits& limits)
      : form_(form), types_(types), test_(test), limits_(limits), current_(model.clone()) {}

  Expected<Reduction> run() {
    MO_TRY(drop_properties());
    MO_TRY(drop_nodes());
    for (bool opened = true; opened && !is_over();) {
      MO_ASSIGN(opened, open_body());
      if (opened) MO_TRY(drop_nodes());
    }
    MO_TRY(drop_attributes());
    MO_TRY(shrink_inputs());
    MO_TRY(replace_weights());
    MO_TRY(rename());
    made_.ended_early = is_over();
    made_.graph = std::move(current_);
    return std::move(made_);
  }

 private:
  bool is_over() const { return made_.tests >= limits_.tests || (limits_.over && limits_.over()); }

  /// Takes the candidate when it holds.
  Expected<bool> take(std::unique_ptr<Graph> candidate) {
    if (is_over()) return false;
    ++made_.tests;
    MO_ASSIGN(const bool holds, test_(*candidate));
    if (holds) current_ = std::move(candidate);
    return holds;
  }

  bool is_op(const Node& node) const { return !node.is<Result>() && !form_.is_input(node) && !form_.is_constant(node); }

  /// Nodes that do something, inputs first. Loops of TensorFlow 1 are cycles: of such a model the order of its file.
  std::vector<NodeId> ops_of(const Graph& graph) const {
    std::vector<NodeId> ops;
    const auto take_ops = [&](const auto& nodes) {
      for (const Node& node : nodes)
        if (is_op(node)) ops.push_back(node.id());
    };
    if (const auto order = graph.topological_order())
      take_ops(*order);
    else
      take_ops(graph.nodes());
    return ops;
  }

  Expected<void> drop_properties() {
    auto bare = current_->clone();
    bare->properties = {};
    bare->name.clear();
    if (const AttributeValue* version = current_->properties.find("ir_version"))
      bare->properties.set("ir_version", *version);
    MO_TRY(take(std::move(bare)));
    return {};
  }

  TensorType type_of(const Value& value) const {
    if (value.graph().has_types()) return value.type();
    for (const std::string_view name : value.data().tensor_names())
      if (const auto it = types_.find(std::string(name)); it != types_.end()) return it->second;
    const Node node = value.node();
    for (const std::string& name : {fmt::format("{}:{}", node.name(), value.index()), std::string(node.name())})
      if (const auto it = types_.find(name); it != types_.end()) return it->second;
    return value.type();
  }

  /// Without some nodes: what others read of them becomes an input, and what is no longer read an output.
  std::unique_ptr<Graph> without(const std::set<std::uint32_t>& places, const std::vector<NodeId>& ops) const {
    auto graph = current_->clone();
    // A clone has the nodes in the same order.
    std::map<std::uint32_t, NodeId> counterpart;
    auto there = graph->nodes().begin();
    for (const Node node : current_->nodes()) {
      counterpart[node.id().index] = (*there).id();
      ++there;
    }
    std::vector<Node> gone;
    std::set<NodeId> gone_ids;
    for (const std::uint32_t place : places) {
      gone.push_back(graph->node(counterpart.at(ops[place].index)));
      gone_ids.insert(gone.back().id());
    }
    const auto is_gone = [&](const Node& node) { return gone_ids.contains(node.id()); };
    std::vector<Value> ends;
    int made = 0;
    for (const Node& node : gone) {
      for (const InPort& port : node.in_ports())
        if (const Value source = port.get_source(); source && !is_gone(source.node()) && is_op(source.node()))
          ends.push_back(source);
      for (const OutPort& port : node.out_ports()) {
        std::vector<InPort> readers = port.get_destinations();
        std::erase_if(readers,
                      [&](const InPort& reader) { return is_gone(reader.node()) || reader.node().is<Result>(); });
        if (readers.empty()) continue;
        const Value input = form_.make_input(*graph, graph->unique_name(fmt::format("cut{}", made++)), type_of(port));
        for (const InPort& reader : readers) static_cast<void>(reader.connect(input));
      }
    }
    for (const Node& node : gone) {
      for (const OutPort& port : node.out_ports())
        for (const InPort& reader : port.get_destinations())
          if (reader.node().is<Result>()) graph->erase(reader.node());
      graph->erase(node);
    }
    if (has_results())
      for (const Value& end : ends)
        if (end.disconnected()) graph->create_result(end, graph->unique_name(end.data().result_name()));
    drop_unread(*graph);
    return graph;
  }

  bool has_results() const { return !current_->results().empty(); }

  void drop_unread(Graph& graph) const {
    std::vector<Node> unread;
    for (const Node node : graph.nodes()) {
      const auto ports = node.out_ports();
      const bool is_read =
          std::any_of(ports.begin(), ports.end(), [](const OutPort& port) { return !port.disconnected(); });
      if ((form_.is_input(node) || form_.is_constant(node)) && !is_read) unread.push_back(node);
    }
    for (const Node& node : unread) graph.erase(node);
  }

  /// Delta debugging by taking away: halves, quarters … single nodes, until nothing more goes.
  Expected<void> drop_nodes() {
    std::vector<NodeId> ops = ops_of(*current_);
    std::size_t size = std::max<std::size_t>(1, ops.size() / 2);
    while (ops.size() > 1 && !is_over()) {
      bool any = false;
      // From the end: what comes after the place that matters goes first, and with it most of the model.
      for (std::size_t end = ops.size(); end > 0 && ops.size() > 1;) {
        const std::size_t begin = end > size ? end - size : 0;
        std::set<std::uint32_t> places;
        for (std::size_t i = begin; i < end; ++i) places.insert(static_cast<std::uint32_t>(i));
        if (places.size() < ops.size()) {
          MO_ASSIGN(const bool held, take(without(places, ops)));
          if (held) {
            any = true;
            ops = ops_of(*current_);
          }
        }
        end = std::min(begin, ops.size());
      }
      if (size == 1 && !any) break;
      if (!any || size > ops.size() / 2) size = std::max<std::size_t>(1, std::min(size, ops.size()) / 2);
    }
    return {};
  }

  /// One body in place of the node that owns it, when the problem lies inside: what is there can be taken away then.
  /// Whether there was such a body.
  Expected<bool> open_body() {
    for (std::size_t owner = 0; owner < current_->body_owners().size(); ++owner) {
      const std::size_t bodies = current_->body_owners()[owner].bodies().size();
      for (std::size_t body = 0; body < bodies; ++body) {
        auto candidate = with_body_in_place(owner, body);
        if (!candidate) continue;
        MO_ASSIGN(const bool held, take(std::move(candidate)));
        if (held) return true;
      }
    }
    return false;
  }

  /// What the body reads of the graph around it, by the name of the tensor, is read there; its other arguments, and
  /// what others read of the node, become inputs. Null for a body that cannot be put there.
  std::unique_ptr<Graph> with_body_in_place(std::size_t owner_place, std::size_t body_place) const {
    auto graph = current_->clone();
    const Node owner = graph->body_owners()[owner_place];
    Graph& body = *owner.bodies()[body_place];
    std::vector<Value> arguments;
    for (const Node& parameter : body.parameters()) {
      Value argument = captured_by(owner, parameter);
      if (!argument)
        argument = form_.make_input(*graph, graph->unique_name(fmt::format("argument{}", arguments.size())),
                                    type_of(parameter.output()));
      arguments.push_back(argument);
    }
    const auto inlined = put_inline(body, *graph, arguments, BodyFate::kept);
    if (!inlined) return nullptr;
    for (const OutPort& port : owner.out_ports()) {
      std::vector<InPort> readers = port.get_destinations();
      for (const InPort& reader : readers)
        if (reader.node().is<Result>()) graph->erase(reader.node());
      std::erase_if(readers, [](const InPort& reader) { return !reader.node().alive(); });
      if (readers.empty()) continue;
      const Value input =
          form_.make_input(*graph, graph->unique_name(fmt::format("left{}", port.index())), type_of(port));
      for (const InPort& reader : readers) static_cast<void>(reader.connect(input));
    }
    graph->erase(owner);
    for (const Value& result : inlined->results)
      if (is_op(result.node())) graph->create_result(result, graph->unique_name(result.data().result_name()));
    drop_unread(*graph);
    return graph;
  }

  /// The input of the owner that is the tensor of the parameter's name.
  static Value captured_by(const Node& owner, const Node& parameter) {
    for (const InPort& port : owner.in_ports()) {
      const Value source = port.get_source();
      if (!source) continue;
      const auto names = source.data().tensor_names();
      if (source.node().name() == parameter.name() ||
          std::find(names.begin(), names.end(), parameter.name()) != names.end())
        return source;
    }
    return {};
  }

  Expected<void> drop_attributes() {
    for (std::size_t place = 0;; ++place) {
      const std::vector<NodeId> ops = ops_of(*current_);
      if (place >= ops.size() || is_over()) return {};
      for (const AttributeMap::Item& item : current_->node(ops[place]).attributes()) {
        const std::vector<NodeId> now = ops_of(*current_);
        if (place >= now.size() || !form_.may_drop(current_->node(now[place]), item.name)) continue;
        auto candidate = current_->clone();
        const std::vector<NodeId> there = ops_of(*candidate);
        form_.drop(candidate->node(there[place]), item.name);
        MO_TRY(take(std::move(candidate)));
      }
    }
  }

  /// Known dimensions of inputs become 1, else a quarter, else a half.
  Expected<void> shrink_inputs() {
    const std::size_t count = current_->parameters().size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t rank = current_->parameters()[i].as<Parameter>()->shape.has_rank()
                                   ? current_->parameters()[i].as<Parameter>()->shape.size()
                                   : 0;
      for (std::size_t axis = 0; axis < rank; ++axis)
        for (const std::int64_t divisor : {std::int64_t{0}, std::int64_t{4}, std::int64_t{2}}) {
          auto candidate = current_->clone();
          const Node parameter = candidate->parameters()[i];
          Dimension& dim = parameter.as<Parameter>()->shape[axis];
          if (!dim.is_known() || dim.value() <= 4) break;
          dim = divisor == 0 ? 1 : dim.value() / divisor;
          parameter.output().data().set_shape(parameter.as<Parameter>()->shape);
          MO_ASSIGN(const bool held, take(std::move(candidate)));
          if (held) break;
        }
    }
    return {};
  }

  /// Places, among all nodes, of constants that hold weights.
  std::vector<std::size_t> weights() const {
    std::vector<std::size_t> places;
    std::size_t place = 0;
    for (const Node node : current_->nodes()) {
      if (form_.is_constant(node)) {
        const Tensor value = form_.value_of(node);
        const bool numbers = !value.empty() && !has_own_size(value.element_type());
        if (numbers && (is_real(value.element_type()) || value.element_count() >= kLeastWeights))
          places.push_back(place);
      }
      ++place;
    }
    return places;
  }

  Expected<std::unique_ptr<Graph>> with_noise(const std::vector<std::size_t>& places) const {
    auto candidate = current_->clone();
    std::size_t place = 0;
    for (const Node node : candidate->nodes()) {
      if (std::binary_search(places.begin(), places.end(), place)) {
        MO_ASSIGN(Tensor noise, noise_like(form_.value_of(node), limits_.seed + static_cast<unsigned>(place)));
        form_.set_value(node, std::move(noise));
      }
      ++place;
    }
    return candidate;
  }

  Expected<void> replace_weights() {
    const std::vector<std::size_t> places = weights();
    if (places.empty()) return {};
    MO_ASSIGN(auto all, with_noise(places));
    MO_ASSIGN(const bool held, take(std::move(all)));
    if (held) return {};
    for (const std::size_t place : places) {
      MO_ASSIGN(auto one, with_noise({place}));
      MO_ASSIGN(const bool kept, take(std::move(one)));
      made_.constants_kept += kept ? 0 : 1;
    }
    return {};
  }

  Expected<void> rename() {
    auto renamed = current_->clone();
    forget_names(*renamed);
    MO_ASSIGN(const bool held, take(std::move(renamed)));
    made_.names_kept = !held;
    return {};
  }

  const ModelForm& form_;
  const std::map<std::string, TensorType>& types_;
  const HoldsTest& test_;
  const ReduceLimits& limits_;
  std::unique_ptr<Graph> current_;
  Reduction made_;
};

}  // namespace

Expected<Reduction> reduce_model(const Graph& model, const ModelForm& form,
                                 const std::map<std::string, TensorType>& types, const HoldsTest& test,
                                 const ReduceLimits& limits) {
  return Reducer(model, form, types, test, limits).run();
}

}  // namespace mo::tools
