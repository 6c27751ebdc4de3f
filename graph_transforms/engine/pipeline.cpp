#include "graph_transforms/engine/pipeline.hpp"

#include <fmt/ranges.h>

#include <set>

#include "core/support/nearest.hpp"
#include "graph_transforms/engine/editor.hpp"

namespace mo::graph_transforms {

Diagnostic unknown_transform(const std::string& name, const TransformRegistry& registry) {
  const std::string close = nearest(name, registry.names());
  Diagnostic failed = error("MO-GTT-0001", "Transform '{}' not recognized", name);
  if (close.empty()) return std::move(failed).hint("transform_graph --help lists the transforms");
  return std::move(failed).hint("did you mean '{}'? transform_graph --help lists the transforms", close);
}

namespace {

/// At most this many errors of one kind are listed.
constexpr std::size_t kListed = 20;

Diagnostic of_tensorflow_only(const std::string& name, const TransformRegistry& registry) {
  return error("MO-GTT-0055", "{} is about ops of TensorFlow, which this model does not have", name)
      .hint("for models of every framework there are: {}", fmt::join(registry.names(Scope::any), ", "));
}

Expected<bool> ignores_errors(const TransformFuncContext& context) {
  const std::vector<std::string>& values = context.parameters("ignore_errors");
  if (values.empty()) return false;
  std::string text = values.front();
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (text == "true" || text == "false") return text == "true";
  return error("MO-GTT-0004", "ignore_errors should be true or false, found \"{}\"", values.front())
      .hint("write ignore_errors=true");
}

/// Inputs that are read from nowhere. Takes the notes of the graph about erased producers.
Expected<void> check_inputs(Graph& graph, const std::string& transform) {
  std::vector<Diagnostic> dangling;
  for (const auto& [node, producer] : graph.take_orphans()) {
    if (dangling.size() == kListed || !node.alive()) continue;
    dangling.push_back(
        node.error("MO-GTT-0005",
                   "Invalid input {} for node {}: Invalid graph with inputs referring to nonexistent nodes", producer,
                   node.name())
            .hint("{} removed a node that this one reads; leave that node out of it, or strip the reader before",
                  transform));
  }
  if (!dangling.empty()) return Error(std::move(dangling));
  return {};
}

class OutputNames {
 public:
  OutputNames(const Graph& graph, TransformFuncContext context) {
    context.resolve_ends(graph);
    wanted_ = *std::move(context.output_nodes);
    present_ = found_in(graph);
  }
  /// Those that are gone since this was asked last.
  Expected<void> check(const Graph& graph, const std::string& transform) {
    std::set<std::string, std::less<>> now = found_in(graph);
    for (const std::string& name : present_)
      if (!now.contains(name))
        return error("MO-GTT-0007", "{} has removed the output '{}'", transform, name)
            .hint("choose outputs that this transform keeps, or apply it before they are named");
    present_ = std::move(now);
    return {};
  }

 private:
  std::set<std::string, std::less<>> found_in(const Graph& graph) const {
    std::set<std::string, std::less<>> found;
    if (wanted_.empty()) return found;
    for (const Node node : graph.nodes())
      if (wanted_.contains(node.name())) found.emplace(node.name());
    return found;
  }
  std::set<std::string, std::less<>> wanted_;
  std::set<std::string, std::less<>> present_;
};

/// An argument that a transform did not ask for is a slip of the pen, or means nothing here.
void warn_of_unused(const TransformCall& call, const TransformFuncContext& context) {
  const std::vector<std::string> asked(context.asked->begin(), context.asked->end());
  for (const std::string& name : context.unused_parameters()) {
    const std::string close = nearest(name, asked, 1 + name.size() / 3);
    Diagnostic found = warning("MO-GTT-0064", "{}: the argument {} has no effect", call.name, name);
    context.warn(close.empty() ? std::move(found).hint(
                                     "leave it out, or see docs/graph_transforms.md for the arguments of {}", call.name)
                               : std::move(found).hint("did you mean {}?", close));
  }
}

Expected<void> run_step(Graph& graph, const TransformFunc& transform, const TransformCall& call,
                        const TransformFuncContext& context) {
  MO_ASSIGN(const bool ignores, ignores_errors(context));
  std::unique_ptr<Graph> before = ignores ? graph.clone() : nullptr;
  auto done = transform(graph, context);
  if (done) {
    warn_of_unused(call, context);
    return {};
  }
  if (!ignores) return std::move(done).error().in_phase(call.name);
  graph.adopt(std::move(before));
  const Diagnostic& cause = done.error().first();
  context.warn(warning("MO-GTT-0006", "{}: Ignoring error {}", call.name, cause.message)
                   .hint("the graph stays as it was before this transform"));
  return {};
}

}  // namespace

Expected<void> TransformRun::run(Graph& graph, const std::vector<TransformCall>& calls,
                                 const TransformFuncContext& context) {
  OutputNames outputs(graph, context);
  DiagnosticList unheard;
  const Settings settings;
  PassContext passed{context.sink ? *context.sink : static_cast<DiagnosticSink&>(unheard), settings, &config};
  for (const TransformCall& call : calls) {
    const TransformRegistry::Entry* const transform = registry_.find(call.name);
    if (!transform) return unknown_transform(call.name, registry_);
    if (transform->scope == Scope::tensorflow && framework_of(graph) != "tf" && graph.node_count() > 0)
      return of_tensorflow_only(call.name, registry_);
    TransformFuncContext own = context;
    own.params = call.parameters;
    own.resolve_ends(graph);
    own.asked = std::make_shared<std::set<std::string, std::less<>>>();
    const Pass pass = graph_pass(call.name)
                          .phase(Phase::extraction)
                          .only_top_level()
                          .run([&](Graph& model, PassContext&) -> Expected<bool> {
                            MO_TRY(run_step(model, transform->run, call, own));
                            MO_TRY(check_inputs(model, call.name));
                            if (grammar_ == Grammar::lenient) MO_TRY(outputs.check(model, call.name));
                            return true;
                          });
    MO_TRY(run_one(pass, config.runs(pass), graph, passed));
  }
  return {};
}

}  // namespace mo::graph_transforms
