#include "phases/partial_inference/partial_inference.hpp"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/diagnostics/exception.hpp"
#include "core/diagnostics/misuse.hpp"
#include "core/inference/bodies.hpp"
#include "core/inference/infer.hpp"
#include "core/support/budget.hpp"
#include "core/support/log.hpp"
#include "core/support/progress.hpp"
#include "ops/build/conditional.hpp"
#include "ops/build/folding.hpp"
#include "ops/if.hpp"
#include "phases/front/exported_shape.hpp"
#include "phases/front/framework_op.hpp"
#include "phases/partial_inference/changed_sizes.hpp"
#include "phases/partial_inference/op_replacers.hpp"

namespace mo::phases {
namespace {

/// One walk over a graph and the bodies inside.
class Inference final : public BodyInference {
 public:
  Inference(const OperatorTable& operators, std::string_view framework, IgnoredAttributes& ignored,
            PassContext& context, std::span<const Pass> replacers = {})
      : operators_(operators),
        framework_(framework),
        ignored_(ignored),
        context_(context),
        replacers_(replacers, context),
        static_shape_(context.settings.static_shape) {}

  /// `run` for the whole model: attributes that no translator knows are errors.
  Expected<void> run_model(Graph& graph) {
    auto done = run(graph);
    if (unknown_.empty()) return done;
    std::vector<Diagnostic> found = unknown_.diagnostics();
    if (!done) found.insert(found.begin(), done.error().items().begin(), done.error().items().end());
    return Error(std::move(found));
  }

  /// From now on `watch` follows the walk over `graph`.
  void let_watch(InferenceWatch& watch, const Graph& graph) { watch_ = &watch, watched_ = &graph; }

  Expected<void> run(Graph& graph) {
    MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
    graph.set_has_types(true);
    ++graphs_;
    auto done = visit(graph, order);
    graph.drop_control_edges();
    return done;
  }

  Expected<std::vector<TensorFact>> infer(Graph& body, const std::vector<TensorFact>& inputs, bool repeats) override {
    if (!changes_when_inferred(body)) return infer_body_in_place(body, inputs);
    std::unique_ptr<Graph> copy = repeats ? body.clone() : nullptr;
    Graph& translated = copy ? *copy : body;
    give_facts(translated, inputs);
    MO_TRY(run(translated));
    std::vector<TensorFact> results = facts_of_results(translated);
    if (copy) translated_[&body] = std::move(copy);
    return results;
  }

  void settle(Graph& body) override {
    if (auto translated = translated_.extract(&body)) body.adopt(std::move(translated.mapped()));
  }

  void log_summary() const {
    log::debug("inference: {} nodes in {} graphs, {} translated, {} of them to a single op, {} folded", inferred_,
               graphs_, translated_count_, replacers_.single_ops(), folded_);
  }

  Expected<void> infer_inlined(Graph& graph, const std::vector<Node>& nodes) override { return visit(graph, nodes); }

 private:
  /// Nodes in topological order.
  Expected<void> visit(Graph& graph, const std::vector<Node>& order) {
    Rewriter rewriter(graph, this);
    constexpr std::size_t kMostErrors = 20;
    std::vector<Diagnostic> found;
    // and what reads them: their types are not known, so nothing can be said about these nodes
    std::unordered_set<NodeId> failed;
    std::size_t done_nodes = 0;
    for (const Node& node : order) {
      if (++done_nodes % 1024 == 0) progress::tell(done_nodes, order.size());
      if (!node.alive()) continue;  // folded away with its only reader
      if (!failed.empty() && reads_any(node, failed)) {
        failed.insert(node.id());
        continue;
      }
      InferenceWatch* const watch = &graph == watched_ ? watch_ : nullptr;
      if (watch) watch->reach(rewriter, node);
      if (!node.alive()) continue;  // another op took its place
      auto done = step(rewriter, node);
      if (done) continue;
      if (watch && node.alive()) watch->explain(node, done.error());
      found.insert(found.end(), done.error().items().begin(), done.error().items().end());
      if (node.alive()) failed.insert(node.id());
      if (found.size() >= kMostErrors || (Budget::current() && Budget::current()->is_exhausted())) break;
    }
    if (!found.empty()) return Error(std::move(found));
    return {};
  }

  static bool reads_any(const Node& node, const std::unordered_set<NodeId>& nodes) {
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i); source && nodes.contains(source.node().id())) return true;
    return false;
  }

  Expected<void> step(Rewriter& rewriter, const Node& node) {
    ++inferred_;
    if (const OperatorTable::Row* row = translator_of(node)) return translate(rewriter, node, *row);
    MO_ASSIGN(const bool taken, take_branch(rewriter, node));
    if (taken) return {};
    MO_TRY(infer_node(node, this));
    return fold(rewriter, node);
  }

  Expected<void> fold(Rewriter& rewriter, const Node& node) {
    MO_ASSIGN(auto values, build::folded_values(node, static_shape_));
    if (!values) return {};
    ++folded_;
    Outputs constants;
    for (Tensor& value : *values) constants.push_back(value.empty() ? Value() : rewriter.constant(std::move(value)));
    rewriter.replace(node, constants);
    if (rewriter.error()) return *rewriter.error();
    rewriter.take_created();
    rewriter.take_touched();
    return {};
  }

  /// An If whose condition is known makes room for the branch that it takes, before anybody looks into the other one.
  Expected<bool> take_branch(Rewriter& rewriter, const Node& node) {
    auto* conditional = node.as<ops::If>();
    const auto condition = conditional ? build::known_condition(node) : std::nullopt;
    if (!condition) return false;
    MO_ASSIGN(const Outputs outputs, build::inline_branch(rewriter, node, *condition, BodyFate::used_up));
    rewriter.replace(node, outputs);
    std::optional<Error> error = rewriter.take_error();
    rewriter.take_created();
    rewriter.take_touched();
    if (error) return *std::move(error);
    return true;
  }

  Expected<void> translate(Rewriter& rewriter, const Node& node, const OperatorTable::Row& row) {
    const FrameworkNode view(node);
    const std::string op(*framework_op(node.op_type(), framework_));
    Replacement made;
    try {
      made = row.translate(view, rewriter);
    } catch (const Misuse&) { made = caught_exception(fmt::format("the translator of {}", node.origin().op)); }
    std::optional<Error> error = std::move(made.error());
    if (!error && view.failure()) error = Error(*view.failure());
    if (auto failure = rewriter.take_error(); failure && !error) error = std::move(failure);
    if (!error && (made.is_declined() || made.outputs().empty()))
      error = node.error("MO-FRONT-0007", "the translator of {} gave no outputs", node.origin().op)
                  .hint("tell the author of the translator");
    if (!error) error = missing_output(node, made.outputs());
    if (!error && !stays(node, made.outputs())) error = unread_input(view, op);
    if (!error) {
      for (const Diagnostic& warning : view.warnings()) context_.diagnostics.report(warning);
      // No error yet: the rest of the graph can still be looked at.
      unknown_.add_unread(view, op, ignored_);
      if (stays(node, made.outputs())) return {};
      ++translated_count_;
      rewriter.replace(node, made.outputs());
      error = rewriter.take_error();
    }
    const std::vector<Node> created = rewriter.take_created();
    rewriter.take_touched();
    if (error) {
      for (const Node& node_made : created) erase_if_dead(node_made);
      if (!node.alive()) return *std::move(error);
      // An op that the translator made has no name of its own: the user knows the inputs of the framework's node.
      for (Diagnostic& diagnostic : error->items())
        if (diagnostic.node.empty()) diagnostic.inputs.clear();
      return node.describe(*std::move(error));
    }
    for (const Node& node_made : created)
      if (node_made.alive()) MO_TRY(fold(rewriter, node_made));
    return offer(rewriter, op, created);
  }

  /// Shows replacers what became of an operator. What they make of it is inferred, and translated where it is an
  /// operator of the framework again.
  Expected<void> offer(Rewriter& rewriter, const std::string& op, const std::vector<Node>& created) {
    if (offering_) return {};  // a replacer's own nodes
    Graph& graph = rewriter.graph();
    const std::uint32_t first = graph.node_capacity();
    MO_ASSIGN(const bool replaced, replacers_.offer(op, created));
    if (!replaced) return {};
    offering_ = true;
    Expected<void> done;
    for (std::uint32_t i = first; i < graph.node_capacity() && done; ++i)
      if (const Node node = graph.node(NodeId{i}); node.alive()) done = step(rewriter, node);
    // What the translator has put after the op (a bias) reads another tensor now.
    for (const Node& node : created)
      if (done && node.alive()) done = step(rewriter, node);
    offering_ = false;
    return done;
  }

  /// An output that is read (or given out with --output), and that the op does not have.
  static std::optional<Error> missing_output(const Node& node, const Outputs& made) {
    for (std::size_t i = 0; i < node.out_port_count(); ++i)
      if (!node.out_port(i).disconnected() && (i >= made.size() || !made[i]))
        return node.error("MO-FRONT-0020", "output {} is read, which {} does not give", i, node.origin().op)
            .hint("check the model, or the port in --output: outputs count from 0");
    return std::nullopt;
  }
  /// An input that the model connects and that the translator did not look at means something that it does not know.
  static std::optional<Error> unread_input(const FrameworkNode& view, std::string_view op) {
    const std::vector<std::size_t> unread = view.unread_inputs();
    if (unread.empty()) return std::nullopt;
    return view.error("MO-FRONT-0021", "input {} is connected, which {} does not read", unread.front(), op)
        .hint("check the model; an input of a newer version of the operator is not supported in this one");
  }
  /// A node that is no tensor waits for the nodes that read it.
  static bool stays(const Node& node, const Outputs& outputs) {
    return !outputs.empty() && outputs.front() && outputs.front().node() == node;
  }

  const OperatorTable::Row* translator_of(const Node& node) {
    const OpType& type = node.op_type();
    if (!type.dynamic || type.infer) return nullptr;
    const auto op = framework_op(type, framework_);
    const OperatorTable::Row* row = op ? operators_.find(*op, node.attr<std::int64_t>("@opset").value_or(1)) : nullptr;
    return row && row->translate ? row : nullptr;
  }

  /// Framework nodes are translated, and an If may make room for one of its branches.
  static bool changes_when_inferred(const Graph& graph) {
    if (graph.has_op_type(
            [](const OpType& type) { return (type.dynamic && !type.infer) || type.same_op(OpType::of<ops::If>()); }))
      return true;
    for (const Node& owner : graph.body_owners())
      for (const Graph* body : owner.bodies())
        if (changes_when_inferred(*body)) return true;  // as deep as the readers let bodies nest
    return false;
  }

  const OperatorTable& operators_;
  std::string_view framework_;
  IgnoredAttributes& ignored_;
  UnknownAttributes unknown_;
  PassContext& context_;
  OpReplacers replacers_;
  InferenceWatch* watch_ = nullptr;
  const Graph* watched_ = nullptr;
  bool offering_ = false;
  bool static_shape_;
  std::size_t inferred_ = 0;
  std::size_t graphs_ = 0;  ///< bodies count each time
  std::size_t translated_count_ = 0;
  std::size_t folded_ = 0;
  /// bodies whose owner is being inferred, as last translated
  std::unordered_map<const Graph*, std::unique_ptr<Graph>> translated_;
};

}  // namespace

void infer_what_is_possible(Graph& graph, const OperatorTable& operators, std::string_view framework,
                            const Settings& settings, InferenceWatch* watch) {
  DiagnosticList dropped;
  PassContext context{dropped, settings};
  IgnoredAttributes ignored;
  Inference inference(operators, framework, ignored, context);
  if (watch) inference.let_watch(*watch, graph);
  if (auto done = inference.run_model(graph); !done)
    log::debug("inference of the model before the cut: {}", done.error().first().message);
}

Pass partial_inference(const OperatorTable& operators, std::string framework,
                       std::shared_ptr<IgnoredAttributes> ignored, std::vector<Pass> replacers) {
  if (!ignored) ignored = std::make_shared<IgnoredAttributes>();
  return graph_pass("PartialInference")
      .phase(Phase::inference)
      .only_top_level()
      .run([&operators, framework = std::move(framework), ignored, replacers = std::move(replacers)](
               Graph& graph, PassContext& context) -> Expected<bool> {
        Inference inference(operators, framework, *ignored, context, replacers);
        std::optional<ChangedSizes> sizes;
        if (has_exported_shapes(graph)) {
          sizes.emplace(graph, operators, framework, context.settings);
          inference.let_watch(*sizes, graph);
        }
        auto done = inference.run_model(graph);
        for (Diagnostic& warning : ignored->warnings_of_unused()) context.diagnostics.report(std::move(warning));
        if (!done) explain_other_rank(graph, done.error());
        MO_TRY(std::move(done));
        if (sizes) sizes->report(graph, context.diagnostics);
        inference.log_summary();
        return true;
      });
}

}  // namespace mo::phases
