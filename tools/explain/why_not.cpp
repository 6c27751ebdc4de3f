#include "tools/explain/why_not.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/support/nearest.hpp"
#include "driver/emission.hpp"
#include "driver/model_graph.hpp"
#include "driver/pipeline.hpp"
#include "tools/opt/library.hpp"

namespace mo::tools {
namespace {

/// A pattern that starts further downstream of a node does not reach it.
constexpr int kFarthest = 8;

/// Listens to one pass.
class Listener {
 public:
  Listener(std::string pass, std::string node) : pass_(std::move(pass)), node_(std::move(node)) {}

  /// The pass is about to run on the graph: collects nodes whose patterns can reach the node.
  void begin(const Graph& graph) {
    started_ = true;
    std::vector<Node> nodes;
    for (const Node node : graph.nodes()) {
      if (is_called(node, node_)) nodes.push_back(node);
      if (!node.name().empty()) names_.emplace_back(node.name());
    }
    found_ = !nodes.empty();
    for (int distance = 0; distance <= kFarthest; ++distance) {
      std::vector<Node> next;
      for (const Node& node : nodes) {
        if (!distances_.emplace(name_for(node), distance).second) continue;
        for (const OutPort& port : node.out_ports())
          for (const InPort& reader : port.get_destinations()) next.push_back(reader.node());
      }
      nodes = std::move(next);
    }
  }
  void told(const RuleVerdict& verdict) {
    if (verdict.node.empty() && verdict.op.empty()) {
      general_.push_back(to_string(verdict));
      return;
    }
    const auto it = distances_.find(std::string(verdict.node));
    if (it != distances_.end()) by_distance_[it->second].push_back(to_string(verdict));
  }

  Expected<WhyNot> answer() const {
    WhyNot made{.pass = pass_, .node = node_};
    if (started_ && !found_ && by_distance_.empty())
      return error("MO-EXPLAIN-0003", "there is no node '{}' when {} runs", node_, pass_)
          .hint("{}passes before it may have replaced the node: mo explain MODEL LAYER names them",
                did_you_mean(node_, names_));
    if (const auto it = by_distance_.find(0); it != by_distance_.end()) {
      made.at_node = true;
      made.lines = it->second;
    } else {
      for (const auto& [distance, lines] : by_distance_)
        made.lines.insert(made.lines.end(), lines.begin(), lines.end());
    }
    if (made.lines.empty()) made.lines = general_;
    if (made.lines.empty())
      made.lines.push_back(fmt::format("{}: none of its rules starts from '{}' or from what reads it", pass_, node_));
    return made;
  }

 private:
  static bool is_called(const Node& node, const std::string& name) {
    if (node.name() == name) return true;
    for (const OutPort& port : node.out_ports())
      for (const std::string_view tensor : port.data().tensor_names())
        if (tensor == name) return true;
    return false;
  }
  /// As verdicts call it.
  static std::string name_for(const Node& node) {
    if (node.name().empty() && !node.sources().empty()) return std::string(node.sources().front());
    return std::string(node.name());
  }

  std::string pass_;
  std::string node_;
  bool started_ = false;
  bool found_ = false;
  std::vector<std::string> names_;
  std::map<std::string, int, std::less<>> distances_;
  std::map<int, std::vector<std::string>> by_distance_;
  std::vector<std::string> general_;
};

Expected<void> ask_library(const Options& options, const ModelGraph& model, const std::string& pass, Listener& listener,
                           DiagnosticSink& sink) {
  MO_ASSIGN(const PassLibrary library, library_for(options, model.assembly->framework));
  MO_TRY(library.get(pass));
  const Settings settings = settings_of(with_target_of_ir(options, *model.graph));
  LibraryRun run(library, sink, settings);
  give_channels_first(run, sink);
  run.config.explain({pass});
  run.on_verdict = [&](const RuleVerdict& verdict) { listener.told(verdict); };
  listener.begin(*model.graph);
  MO_TRY(run.run(pass, *model.graph));
  return {};
}

}  // namespace

Expected<WhyNot> why_not(const Options& options, const std::string& pass, const std::string& node,
                         DiagnosticSink& sink) {
  Listener listener(pass, node);
  bool in_conversion = false;
  bool is_over = false;
  LoadOptions how{.looks_at_registry = true};
  how.watch.read = [&](Conversion& conversion) {
    PassManager& manager = *conversion.manager;
    if (!manager.find(pass)) return;
    in_conversion = true;
    manager.config.explain({pass});
    manager.on_verdict = [&](const RuleVerdict& verdict) { listener.told(verdict); };
    manager.before_pass = [&](const Pass& next, const Graph& graph) {
      if (next.name == pass) listener.begin(graph);
    };
    // What comes after it is of no interest.
    manager.may_run = [&](const Pass& next) {
      const bool runs = !is_over;
      is_over = is_over || next.name == pass;
      return runs;
    };
  };
  MO_ASSIGN(const ModelGraph model, load_model(options, how, sink));
  if (!in_conversion) MO_TRY(ask_library(options, model, pass, listener, sink));
  return listener.answer();
}

std::string text_of(const WhyNot& answer) {
  std::string text;
  if (!answer.at_node)
    text += fmt::format("{} starts from no rule at '{}'; of what reads it:\n", answer.pass, answer.node);
  for (const std::string& line : answer.lines) text += line + "\n";
  return text;
}

std::string json_of(const WhyNot& answer) {
  using Json = nlohmann::ordered_json;
  return Json{{"pass", answer.pass}, {"node", answer.node}, {"at_node", answer.at_node}, {"verdicts", answer.lines}}
             .dump(1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace mo::tools
