#include "extensions/front/tensorflow/support/loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "core/pass/graph_copier.hpp"
#include "extensions/front/tensorflow/support/finished_steps.hpp"
#include "extensions/front/tensorflow/support/graphs.hpp"
#include "extensions/front/tensorflow/support/lists.hpp"
#include "extensions/front/tensorflow/support/trip_count.hpp"
#include "ops/build/lengths.hpp"
#include "ops/build/scan.hpp"
#include "ops/logical.hpp"
#include "ops/loop.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::tensorflow {
namespace {

using namespace build;

/// What becomes of a variable.
enum class Role { fixed, carried, concatenated };

class LoopBuilder {
 public:
  LoopBuilder(const Node& node, Rewriter& rw, Body condition, Body body)
      : node_(node),
        rw_(rw),
        condition_(std::move(condition)),
        body_(std::move(body)),
        inner_(body_.graph()),
        count_(node.in_port_count()) {}

  Replacement run() {
    if (auto read = read_variables(); !read) return std::move(read).error();
    const auto counters = find_counters(parameters_, next_, first_);
    std::vector<bool> fixed;
    for (const Role role : roles_) fixed.push_back(role == Role::fixed);
    std::vector<bool> read;
    for (std::size_t i = 0; i < count_; ++i) read.push_back(is_read(i));
    const LoopVariables variables{parameters_, next_, first_, counters, read};
    const auto finished_beyond = [&](std::size_t counter, const Value& lengths) {
      return changes_nothing_beyond(variables, counter, lengths);
    };
    auto trips = trip_count(rw_, condition_.graph().results()[0].input(0), condition_parameters_, first_, fixed,
                            counters, finished_beyond);
    if (!trips) return std::move(trips).error();
    trips_ = *std::move(trips);
    if (auto made = make_conditions(); !made) return std::move(made).error();
    for (std::size_t i = 0; i < count_; ++i) {
      if (roles_[i] == Role::fixed) {
        slice_reads(i, counters);
      } else if (!concatenate(i, counters)) {
        if (auto made = give_shape(i); !made) return std::move(made).error();
      }
    }
    Outputs outputs = build();
    if (inner_.error()) return *inner_.error();
    return outputs;
  }

 private:
  Diagnostic misfit(std::string_view what) const {
    return node_
        .error("MO-TF-0755", "the condition and the body of the loop do not fit its {} variables: {}", count_, what)
        .hint("the model was edited or its exporter is faulty: export it again with a newer exporter");
  }

  Expected<void> read_variables() {
    bypass_identities(body_.graph());
    bypass_identities(condition_.graph());
    const auto taken = body_.graph().parameters();
    const auto tested = condition_.graph().parameters();
    const auto results = body_.graph().results();
    if (taken.size() != count_ || tested.size() != count_)
      return misfit(fmt::format("the condition takes {} arguments, the body {}", tested.size(), taken.size()));
    if (results.size() != count_ || condition_.graph().results().size() != 1)
      return misfit("they give another number of results");
    if (node_.out_port_count() > count_) return misfit("more outputs are read");
    if (!condition_.graph().results()[0].input(0)) return misfit("the condition has no output");
    for (std::size_t i = 0; i < count_; ++i) {
      if (!node_.input(i) || !results[i].input(0)) return misfit("one is not connected");
      first_.push_back(node_.input(i));
      parameters_.push_back(taken[i].output());
      condition_parameters_.push_back(tested[i].output());
      next_.push_back(plain(results[i].input(0)));
      roles_.push_back(next_[i] == parameters_[i] ? Role::fixed : Role::carried);
    }
    sliced_.resize(count_);
    take_constants_in();
    return {};
  }

  /// Constants that enter the loop are constants of the body: axes and weights are known there.
  void take_constants_in() {
    for (std::size_t i = 0; i < count_; ++i) {
      const auto* constant = roles_[i] == Role::fixed ? plain(first_[i]).node().as<Const>() : nullptr;
      if (!constant || constant->value.empty()) continue;
      const Node copy = inner_.constant(constant->value).node();
      copy.set_name(plain(first_[i]).node().name());
      inner_.replace_uses(parameters_[i], copy.output());
      for (Value& next : next_)
        if (next == parameters_[i]) next = copy.output();
    }
  }

  /// The condition before the loop, and at the end of the body for the next iteration.
  Expected<void> make_conditions() {
    GraphCopier outside(rw_.graph());
    GraphCopier inside(body_.graph());
    for (std::size_t i = 0; i < count_; ++i) {
      outside.map(condition_parameters_[i], first_[i]);
      inside.map(condition_parameters_[i], next_[i]);
    }
    for (const Value& part : trips_.rest) {
      MO_ASSIGN(const Value before, outside.copy(part));
      MO_ASSIGN(const Value after, inside.copy(part));
      enter_ = enter_ ? rw_.create(ops::LogicalAnd{}, enter_, before) : before;
      go_on_ = go_on_ ? inner_.create(ops::LogicalAnd{}, go_on_, after) : after;
    }
    if (!enter_) enter_ = rw_.scalar(true);
    if (!go_on_) go_on_ = inner_.scalar(true);
    return {};
  }

  bool is_iteration(const Value& index, const std::vector<std::optional<LoopCounter>>& counters) const {
    const auto at = std::find(parameters_.begin(), parameters_.end(), plain(index));
    if (at == parameters_.end()) return false;
    const auto& counter = counters[static_cast<std::size_t>(at - parameters_.begin())];
    return counter && counter->is_iteration();
  }

  /// Reads of list i at the number of the iteration become reads of a slice. Only with a trip count: it says that there
  /// is a slice.
  void slice_reads(std::size_t i, const std::vector<std::optional<LoopCounter>>& counters) {
    if (!trips_.count) return;
    for (const InPort& reader : parameters_[i].get_destinations()) {
      const Node read = reader.node();
      if (!read.is(kListRead) || reader.index() != 0 || !is_iteration(read.input(1), counters)) continue;
      if (!sliced_[i]) {
        const Node parameter = body_.graph().create_parameter({}, std::string(parameters_[i].node().name()) + "/slice");
        sliced_[i] = without_axis(inner_, parameter.output(), 0);
        slice_parameters_.emplace_back(i, parameter);
      }
      inner_.replace_uses(read.output(), sliced_[i]);
      for (Value& next : next_)
        if (next == read.output()) next = sliced_[i];
    }
  }

  /// Beside identities that were bypassed.
  static bool has_one_reader(const Value& value) {
    const std::vector<InPort> readers = value.get_destinations();
    return std::count_if(readers.begin(), readers.end(), [](const InPort& r) {
             return !is_identity(r.node()) || !r.node().output().disconnected();
           }) == 1;
  }

  /// A list that is written at the number of the iteration, or to which one element is added, and that the body does
  /// not read.
  bool concatenate(std::size_t i, const std::vector<std::optional<LoopCounter>>& counters) {
    const Node writer = next_[i].node();
    const bool pushes = writer.is(kListPush);
    if ((!pushes && !writer.is(kListWrite)) || plain(writer.input(0)) != parameters_[i]) return false;
    if (!has_one_reader(parameters_[i]) || !next_[i].has_one_destination()) return false;
    if (!pushes && (!is_iteration(writer.input(1), counters) || !plain(first_[i]).node().is(kListReserve)))
      return false;
    const Value element = writer.input(pushes ? 1 : 2);
    if (!element) return false;
    roles_[i] = Role::concatenated;
    next_[i] = element;
    return true;
  }

  /// A list that is carried whole needs zeros to start with. Where their shape is not given, it is that of the first
  /// element written: what the body writes in the first iteration is computed before the loop, and (where shapes are
  /// static) disappears again.
  Expected<void> give_shape(std::size_t i) {
    if (!is_fresh_list(first_[i]) || element_shape(rw_, plain(first_[i]).node())) return {};
    const Node fresh = plain(first_[i]).node();
    for (const InPort& reader : parameters_[i].get_destinations()) {
      const Node writer = reader.node();
      const bool pushes = writer.is(kListPush);
      if (reader.index() != 0 || (!pushes && !writer.is(kListWrite))) continue;
      GraphCopier copier(rw_.graph());
      bool reads_itself = false;
      copier.ask([&](const Value& value) -> Expected<Value> {
        reads_itself = reads_itself || value == parameters_[i];
        return Value();
      });
      for (std::size_t k = 0; k < count_; ++k)
        if (k != i) copier.map(parameters_[k], first_[k]);
      // Slices are not there outside: their first element is read instead.
      for (const auto& [list, parameter] : slice_parameters_)
        copier.map(sliced_[list], rw_.create(Op(kListRead, {}), first_[list], rw_.scalar<std::int32_t>(0)));
      const auto element = copier.copy(writer.input(pushes ? 1 : 2));
      if (reads_itself) continue;
      if (!element) return Error(element.error());
      const AttributeMap attributes{{"element_dtype", list_element_type(fresh)}};
      first_[i] = rw_.create(Op(fresh.type(), attributes), shape_of(rw_, *element),
                             fresh.input(1) ? fresh.input(1) : rw_.scalar<std::int64_t>(0));
      return {};
    }
    return {};
  }

  bool is_read(std::size_t i) const { return i < node_.out_port_count() && !node_.out_port(i).disconnected(); }

  /// Which variables the outputs and the condition depend on.
  std::vector<bool> needed_variables() const {
    std::vector<bool> needed(count_);
    std::unordered_set<NodeId> seen;
    std::vector<Node> open = {go_on_.node()};
    const auto need = [&](std::size_t i) {
      if (needed[i]) return;
      needed[i] = true;
      if (roles_[i] != Role::fixed) open.push_back(next_[i].node());
    };
    for (std::size_t i = 0; i < count_; ++i)
      if (roles_[i] != Role::fixed && is_read(i)) need(i);
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (!seen.insert(node.id()).second) continue;
      for (std::size_t i = 0; node.is<Parameter>() && i < count_; ++i)
        if (parameters_[i].node() == node) need(i);
      for (std::size_t i = 0; i < node.in_port_count(); ++i)
        if (node.input(i)) open.push_back(node.input(i).node());
    }
    return needed;
  }

  /// The body's declared type of a list is that of its handle: the tensor's own is found in inference.
  void forget_type(std::size_t i) {
    const auto readers = parameters_[i].get_destinations();
    const bool is_list = makes_list(plain(first_[i]).node()) || std::any_of(readers.begin(), readers.end(), reads_list);
    const Node node = parameters_[i].node();
    if (!is_list && node.as<Parameter>()->element_type != ElementType::string) return;
    *node.as<Parameter>() = {};
    parameters_[i].data().set_type({});
  }

  /// The operators that put the elements of list i together and are asked how long each one was.
  std::vector<Node> length_readers(std::size_t i) const {
    std::vector<Node> found;
    for (const InPort& reader : node_.out_port(i).get_destinations()) {
      const Node concat = reader.node();
      const bool concatenates = concat.is(kListConcat) || concat.is(kListConcatV2);
      if (concatenates && reader.index() == 0 && concat.out_port_count() > 1 && !concat.out_port(1).disconnected())
        found.push_back(concat);
    }
    return found;
  }

  /// The lengths of the elements of list i as an output of the loop: they may differ, and one tensor of all elements
  /// cannot tell.
  void hand_out_lengths(std::size_t i, ops::Loop& loop, std::int64_t& results, std::int64_t& ports) {
    if (length_readers(i).empty()) return;
    body_.graph().create_result(length_along(inner_, next_[i], 0));
    loop.output_map.push_back(last_output(ports, results++));
    loop.output_map.back().axis = 0;
    lengths_.emplace_back(i, ports++);
  }

  Outputs build() {
    Graph& graph = body_.graph();
    const std::vector<bool> needed = needed_variables();
    for (const Node& result : graph.results()) graph.erase(result);
    ops::Loop loop;
    graph.create_result(go_on_);
    loop.output_map.push_back(last_output(-1, 0));
    std::int64_t results = 1;
    std::int64_t ports = 0;
    std::vector<std::int64_t> port_of(count_, -1);
    for (std::size_t i = 0; i < count_; ++i) {
      if (!needed[i] || roles_[i] == Role::fixed) continue;
      const bool whole = roles_[i] == Role::carried;
      graph.create_result(whole ? next_[i] : inner_.create(ops::Unsqueeze{}, next_[i], inner_.integers({0})));
      if (is_read(i)) {
        port_of[i] = ports++;
        loop.output_map.push_back(last_output(port_of[i], results));
        if (!whole) loop.output_map.back().axis = 0;
      }
      result_of_.emplace_back(i, results++);
      if (!whole && is_read(i)) hand_out_lengths(i, loop, results, ports);
    }
    remove_unreachable(graph);
    std::vector<Value> inputs = {trips_.count ? trips_.count : rw_.scalar<std::int64_t>(-1), enter_};
    erase_unread_parameters(needed);
    map_inputs(loop, inputs);
    loop.body = std::move(body_);
    const Node made =
        rw_.create_node(std::move(loop), inputs, static_cast<std::size_t>(std::max<std::int64_t>(ports, 1)));
    Outputs outputs(node_.out_port_count());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!is_read(i)) continue;
      const Value output = port_of[i] >= 0 ? made.output(static_cast<std::size_t>(port_of[i])) : first_[i];
      outputs[i] = roles_[i] == Role::concatenated ? whole_list(i, output) : output;
    }
    for (const auto& [i, port] : lengths_)
      if (outputs[i] == made.output(static_cast<std::size_t>(port_of[i])))
        for (const Node& concat : length_readers(i))
          rw_.replace_uses(concat.output(1), made.output(static_cast<std::size_t>(port)));
    return outputs;
  }

  void erase_unread_parameters(const std::vector<bool>& needed) {
    Graph& graph = body_.graph();
    for (std::size_t i = 0; i < count_; ++i) {
      const Node parameter = parameters_[i].node();
      alive_.push_back(!parameters_[i].disconnected() || (needed[i] && roles_[i] == Role::carried));
      if (alive_[i])
        forget_type(i);
      else
        graph.erase(parameter);
    }
    std::erase_if(slice_parameters_, [&](const auto& entry) {
      const bool is_dead = entry.second.output().disconnected();
      if (is_dead) graph.erase(entry.second);
      return is_dead;
    });
  }

  void map_inputs(ops::Loop& loop, std::vector<Value>& inputs) {
    const std::vector<Node> left = body_.graph().parameters();
    const auto place = [&](const Node& parameter) {
      return static_cast<std::int64_t>(std::find(left.begin(), left.end(), parameter) - left.begin());
    };
    for (std::size_t i = 0; i < count_; ++i) {
      if (!alive_[i]) continue;
      loop.input_map.push_back(whole_input(static_cast<std::int64_t>(inputs.size()), place(parameters_[i].node())));
      inputs.push_back(first_[i]);
      for (const auto& [variable, result] : result_of_)
        if (variable == i && roles_[i] == Role::carried)
          loop.back_edges.push_back({.result = result, .parameter = loop.input_map.back().parameter});
    }
    for (const auto& [i, parameter] : slice_parameters_) {
      ops::InputMap map = whole_input(static_cast<std::int64_t>(inputs.size()), place(parameter));
      map.axis = 0;
      loop.input_map.push_back(map);
      inputs.push_back(first_[i]);
    }
  }

  /// What the loop wrote, after what was in the list before, or before what was never written.
  Value whole_list(std::size_t i, const Value& written) {
    const Node before = plain(first_[i]).node();
    if (before.is(kListEmpty)) return written;
    if (!before.is(kListReserve)) return rw_.create(Op(kListJoin, {}), first_[i], written);
    const Node writer_list = before;
    const auto size = constant_integer(writer_list.input(1));
    if (size && *size <= 0) return written;
    if (trips_.limit &&
        (same_numbers(trips_.limit, writer_list.input(1)) || (size && size == constant_integer(trips_.limit))))
      return written;
    return padded_list(rw_, written, list_length(rw_, writer_list));
  }

  const Node node_;
  Rewriter& rw_;
  Body condition_;
  Body body_;
  Rewriter inner_;
  std::size_t count_;
  std::vector<Value> first_;       ///< outside: the first values
  std::vector<Value> parameters_;  ///< of the body
  std::vector<Value> condition_parameters_;
  std::vector<Value> next_;  ///< of the body: next values, or the elements to be concatenated
  std::vector<Role> roles_;
  std::vector<Value> sliced_;  ///< the slice of list i
  std::vector<std::pair<std::size_t, Node>> slice_parameters_;
  std::vector<std::pair<std::size_t, std::int64_t>> result_of_;
  /// of the elements of list i: an output of the loop
  std::vector<std::pair<std::size_t, std::int64_t>> lengths_;
  std::vector<bool> alive_;
  TripCount trips_;
  Value enter_;
  Value go_on_;
};

}  // namespace

Replacement make_loop(const Node& node, Rewriter& rw) {
  const FrameworkNode loop(node);
  Body condition = loop.take_body("cond");
  Body body = loop.take_body("body");
  if (loop.failure()) return *loop.failure();
  return LoopBuilder(node, rw, std::move(condition), std::move(body)).run();
}

}  // namespace mo::front::tensorflow
