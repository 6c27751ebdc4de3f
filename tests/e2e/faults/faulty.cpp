// Passes that make wrong numbers, to see whether verification finds them, or that crash and take long: each does one
// thing to one node. Off unless --transform names them:
//   --transform "FaultyWeights[type=Convolution;which=2]"
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "plugins/sdk/plugin.hpp"

namespace {

using mo::Expected;
using mo::Node;
using mo::Rewriter;
using mo::Value;

using Deed = bool (*)(const Node& node, Rewriter& rw);

/// Which node: the `which`-th of an op, counted from 0 in the order in which nodes were made. Each pass has settings of
/// its own, as the engine wants it.
template <int pass>
struct Target {
  std::string type;
  std::int64_t which = 0;
  static constexpr auto attributes = mo::Attributes{mo::attr("type", &Target::type), mo::attr("which", &Target::which)};
};

void tell(const Node& node, mo::DiagnosticSink& sink) {
  std::string sources;
  for (const std::string_view source : node.sources()) sources += "|" + std::string(source);
  sink.report(mo::warning("FAULT-0001", "spoiled '{}' sources {}", node.name(), sources));
}

template <int number>
mo::Pass faulty(const std::string& name, mo::Phase phase, Deed deed) {
  return mo::graph_pass(name)
      .phase(phase)
      .template settings<Target<number>>()
      .disabled_by_default()
      .only_top_level()
      .run([deed](mo::Graph& graph, mo::PassContext& context) -> Expected<bool> {
        const auto& target = context.settings.get<Target<number>>();
        std::int64_t left = target.which;
        std::vector<Node> found;
        for (const Node node : graph.nodes())
          if (node.is(target.type) && left-- == 0) found.push_back(node);
        if (found.empty()) return false;
        tell(found.front(), context.diagnostics);
        Rewriter rw(graph);
        const bool done = deed(found.front(), rw);
        if (rw.error()) return *rw.error();
        return done;
      });
}

/// All readers of the node read what `make` makes of it.
template <class Make>
bool behind(const Node& node, Rewriter& rw, Make make) {
  const Value old = node.output();
  const std::vector<mo::InPort> readers = old.get_destinations();
  const Value made = make(old);
  for (const mo::InPort& reader : readers) rw.set_input(reader.node(), reader.index(), made);
  return !readers.empty();
}

bool scale_weights(const Node& node, Rewriter& rw) {
  for (std::size_t i = 1; i < node.in_port_count(); ++i)
    if (const Value weights = node.input(i);
        weights && weights.node().is<mo::Const>() && mo::is_real(weights.type().element_type)) {
      rw.set_input(node, i, rw.fold(mo::ops::Multiply{}, weights, rw.scalar_like(weights, 1.25)));
      return true;
    }
  return false;
}

bool shift_pads(const Node& node, Rewriter& rw) {
  auto begin = node.attr<std::vector<std::int64_t>>("pads_begin");
  auto end = node.attr<std::vector<std::int64_t>>("pads_end");
  if (!begin || !end || begin->empty()) return false;
  const bool from_end = end->back() > 0;
  begin->back() += from_end ? 1 : -1;
  end->back() += from_end ? -1 : 1;
  if (begin->back() < 0) return false;
  const bool set = node.set_attr("pads_begin", *begin).has_value() && node.set_attr("pads_end", *end).has_value();
  rw.changed(node);
  return set;
}

bool swap_inputs(const Node& node, Rewriter& rw) {
  const Value first = node.input(0);
  const Value second = node.input(1);
  rw.set_input(node, 0, second);
  rw.set_input(node, 1, first);
  return true;
}

bool leave_out(const Node& node, Rewriter& rw) {
  const std::vector<mo::InPort> readers = node.output().get_destinations();
  for (const mo::InPort& reader : readers) rw.set_input(reader.node(), reader.index(), node.input(0));
  return !readers.empty();
}

bool shift_values(const Node& node, Rewriter& rw) {
  return behind(node, rw, [&](const Value& old) { return rw.create(mo::ops::Add{}, old, rw.scalar_like(old, 0.125)); });
}

bool halve_values(const Node& node, Rewriter& rw) {
  return behind(node, rw,
                [&](const Value& old) { return rw.create(mo::ops::Multiply{}, old, rw.scalar_like(old, 0.5)); });
}

bool cut_off(const Node& node, Rewriter& rw) {
  return behind(node, rw,
                [&](const Value& old) { return rw.create(mo::ops::Clamp{.min = -0.0625, .max = 0.0625}, old); });
}

bool bend(const Node& node, Rewriter& rw) {
  return behind(node, rw, [&](const Value& old) { return rw.create(mo::ops::Tanh{}, old); });
}

bool crash(const Node&, Rewriter&) { std::abort(); }

bool take_long(const Node&, Rewriter&) {
  std::this_thread::sleep_for(std::chrono::seconds(3));
  return false;
}

}  // namespace

MO_PLUGIN("faulty", "1.0.0", [](mo::Registry& registry) {
  mo::PassRegistry& passes = registry.passes();
  const auto middle = mo::Phase::middle;
  const auto back = mo::Phase::back;
  passes.add(faulty<0>("FaultyWeights", middle, scale_weights));
  passes.add(faulty<1>("FaultyPads", middle, shift_pads));
  passes.add(faulty<2>("FaultyOrder", middle, swap_inputs));
  passes.add(faulty<3>("FaultyRemoval", middle, leave_out));
  passes.add(faulty<4>("FaultyShift", middle, shift_values));
  passes.add(faulty<5>("FaultyScale", back, halve_values));
  passes.add(faulty<6>("FaultyClamp", back, cut_off));
  passes.add(faulty<7>("FaultyCurve", back, bend));
  passes.add(faulty<8>("FaultyLateWeights", back, scale_weights));
  passes.add(faulty<9>("FaultyLatePads", back, shift_pads));
  passes.add(faulty<10>("FaultyCrash", middle, crash));
  passes.add(faulty<11>("FaultySlowness", middle, take_long));
});
