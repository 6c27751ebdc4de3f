#include "phases/back/finish.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/graph/carried_nodes.hpp"
#include "core/graph/dead_nodes.hpp"
#include "core/graph/model_ends.hpp"
#include "core/inference/infer.hpp"
#include "core/op/runtimes.hpp"
#include "core/support/owner.hpp"
#include "core/support/progress.hpp"
#include "ops/convert.hpp"
#include "ops/custom_operation.hpp"
#include "ops/read_value.hpp"
#include "phases/back/element_type_release.hpp"

namespace mo::phases {
namespace {

/// Puts Converts before inputs of `node` whose real type differs from the type that most of the computation has: that
/// of the first input that is no constant.
Expected<bool> align_inputs(Rewriter& rewriter, const Node& node) {
  ElementType wanted = ElementType::dynamic;
  for (const bool constants : {false, true})
    for (std::size_t i = 0; i < node.in_port_count() && wanted == ElementType::dynamic; ++i)
      if (const Value source = node.input(i);
          source && source.node().is<Const>() == constants && is_real(source.type().element_type))
        wanted = source.type().element_type;
  bool changed = false;
  for (std::size_t i = 0; i < node.in_port_count(); ++i) {
    const Value source = node.input(i);
    if (!source || !is_real(source.type().element_type) || source.type().element_type == wanted) continue;
    MO_TRY(node.in_port(i).connect(rewriter.create(ops::Convert{.destination_type = wanted}, source)));
    changed = true;
  }
  return changed;
}

Expected<void> infer_with_aligned_inputs(Graph& graph);

/// Says whether a node that could not be inferred can be when the nodes in its bodies get inputs of one type. The
/// Parameters of a body have the types of the node's inputs once inference has come to it: each attempt may come one
/// body further.
bool can_align_bodies(const Node& node) {
  const std::vector<Graph*> bodies = node.bodies();
  for (std::size_t attempt = 0; attempt < bodies.size(); ++attempt) {
    for (Graph* const body : bodies) (void)infer_with_aligned_inputs(*body);  // as deep as bodies nest
    if (infer_node(node)) return true;
  }
  return false;
}

/// Infers the nodes in order. Compression made f16 of some inputs of an op only, then a Convert is put in; an op that
/// also fails with inputs of one type has another reason.
Expected<void> infer_with_aligned_inputs(Graph& graph) {
  MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
  graph.set_has_types(true);
  Rewriter rewriter(graph);
  std::size_t done = 0;
  for (const Node& node : order) {
    if (++done % 1024 == 0) progress::tell(done, order.size());
    auto inferred = infer_node(node);
    if (inferred) continue;
    if (can_align_bodies(node)) continue;
    MO_ASSIGN(const bool aligned, align_inputs(rewriter, node));
    if (!aligned || !infer_node(node)) return std::move(inferred).error();
  }
  return {};
}

bool has_no_elements(const PartialShape& shape) {
  return shape.has_rank() &&
         std::any_of(shape.begin(), shape.end(), [](const Dimension& d) { return d == Dimension(0); });
}

/// The inputs of the model (or of a body) whose shapes are not static, as "'data' [?,3,8,8]".
std::vector<std::string> dynamic_inputs(const Graph& graph) {
  std::vector<std::string> found;
  for (const Node& parameter : graph.parameters())
    if (const TensorType& type = parameter.output().type();
        !type.shape.is_static() && !parameter.output().disconnected())
      found.push_back(fmt::format("'{}' {}", parameter.name(), type.shape.to_string()));
  return found;
}

bool has_static_inputs(const Node& node) {
  for (std::size_t i = 0; i < node.in_port_count(); ++i)
    if (const Value source = node.input(i); source && !source.type().shape.is_static()) return false;
  return true;
}

/// What helps against an output without a static shape whose inputs have one.
std::string way_out(const Node& node) {
  if (!ops::is_custom_operation(node.op_type()) || ops::hidden_body(node))
    return "the shape depends on values: cut the model before it with --output, or write IR version 11";
  return node.origin().framework == "Caffe"
             ? "where its outputs have the shape of its first input, write outputShape=\"input\" into its entry of "
               "--custom_layers_mapping; or write IR version 11"
             : "define the shape in \"outputs\" of its description for --custom_ops, or write IR version 11";
}

/// IR version 10 and shapes that are not static: one message for the inputs where they begin, and one for each node
/// that makes a dynamic shape from static ones. What merely follows is counted.
class DynamicShapes {
 public:
  void add(const Node& node, const OutPort& port) {
    ++count_;
    if (!first_) first_ = {node, port.index()};
    if (!node.is<Parameter>() && has_static_inputs(node)) sources_.emplace_back(node, port.index());
  }

  void report(const Graph& graph, std::vector<Diagnostic>& found) const {
    if (count_ == 0) return;
    std::vector<std::string> inputs = dynamic_inputs(graph);
    const std::size_t total = inputs.size();
    if (inputs.size() > kListed) inputs.resize(kListed);
    if (total > 0)
      found.push_back(
          error("MO-BACK-0002",
                "IR version 10 needs static shapes, and {} tensor{} no static shape because of input{} {}{}", count_,
                count_ == 1 ? " has" : "s have", total == 1 ? "" : "s", fmt::join(inputs, ", "),
                total > kListed ? ", …" : "")
              .hint("fix the shapes of the inputs with --input_shape, or write IR version 11"));
    for (const auto& [node, port] : sources_) found.push_back(dynamic_output(node, port).hint("{}", way_out(node)));
    if (found.empty()) found.push_back(dynamic_output(first_->first, first_->second).hint("write IR version 11"));
  }

 private:
  static constexpr std::size_t kListed = 5;

  static Diagnostic dynamic_output(const Node& node, std::size_t port) {
    return node.error("MO-BACK-0002", "output {} has the dynamic shape {}, IR version 10 needs static shapes", port,
                      node.out_port(port).type().shape.to_string());
  }

  std::size_t count_ = 0;
  std::optional<std::pair<Node, std::size_t>> first_;
  std::vector<std::pair<Node, std::size_t>> sources_;
};

bool leads_out(const OutPort& port) {
  const auto readers = port.get_destinations();
  return std::any_of(readers.begin(), readers.end(), [](const InPort& reader) { return reader.node().is<Result>(); });
}

bool is_growing_state(const Node& node) {
  return (node.is<ops::v3::ReadValue>() || node.is<ops::v6::ReadValue>()) && !node.output_type().shape.is_static();
}

/// The op set that has the node's op; 0: none, as of ops of plugins.
int op_set_of(const Node& node) {
  const OpType& type = node.op_type();
  const auto carried = type.dynamic ? node.attr<std::string>(kCarriedVersion) : FoundAttribute<std::string>();
  if (!carried) return type.opset_name.empty() ? type.opset : 0;
  constexpr std::string_view kOpSet = "opset";
  int number = 0;
  if (carried->starts_with(kOpSet))
    std::from_chars(carried->data() + kOpSet.size(), carried->data() + carried->size(), number);
  return number;
}

std::string first_release_with(const Node& node) {
  const RuntimeRelease* release = first_runtime_with(op_set_of(node), node.type());
  return release ? std::string(release->name) : "none yet";
}

Diagnostic too_new(const Node& node, const Settings& settings) {
  const int op_set = op_set_of(node);
  const std::string since = first_release_with(node);
  if (settings.ir_version == 10 && !settings.op_set_is_fixed)
    return node
        .error("MO-BACK-0001", "{} needs op set {}, IR version 10 has op sets up to {}", node.type(), op_set,
               kNewestOpSetOfVersion10)
        .hint("write IR version 11 with --ir_version 11: runtime {} and later ones read it", since);
  if (op_set <= settings.newest_op_set())
    return node
        .error("MO-BACK-0001", "{} of op set {} came with runtime {}, the one that was asked for is older", node.type(),
               op_set, since)
        .hint("write for that runtime: --target_runtime {}", since);
  return node
      .error("MO-BACK-0001", "{} needs op set {}, the runtime that was asked for reads op sets up to {}", node.type(),
             op_set, settings.newest_op_set())
      .hint("the first runtime that reads it is {}: --target_runtime {}", since, since);
}

/// Why releases before `release` do not read the IR.
struct NewerPart {
  Node node;
  std::string release;
  std::string what;  ///< "op set 13"
};

/// The oldest release that reads the IR, and the ops and element types because of which no older one does, by name.
Diagnostic oldest_reader(const std::map<std::string, NewerPart, std::less<>>& newer) {
  std::string release;
  std::string parts;
  for (const auto& [name, part] : newer) {
    if (release.empty() || is_older(release, part.release)) release = part.release;
    parts += fmt::format("{}{} ({}, '{}')", parts.empty() ? "" : ", ", name, part.what, part.node.name());
  }
  Diagnostic note = warning("MO-BACK-0005", "the oldest runtime that reads the IR is {}, because of {}", release, parts)
                        .hint("for an older one give its release with --target_runtime");
  note.severity = Severity::note;
  return note;
}

bool is_string(const TensorType& type) { return type.element_type == ElementType::string; }

/// An error when the target does not have the type of an output, which came with release `first`.
void check_type(const OutPort& port, std::string_view first, const Settings& settings, std::vector<Diagnostic>& found,
                std::map<std::string, NewerPart, std::less<>>& recent) {
  const Node node = port.node();
  const ElementType type = port.type().element_type;
  const std::string name(to_string(type));
  if (is_string(port.type())) {
    if (is_older(settings.release, first))
      found.push_back(
          node.error("MO-BACK-0008", "output {} is a string, which runtimes before {} do not read", port.index(), first)
              .hint("cut the model after the strings with --input, or use --target_runtime {}", first));
    return;
  }
  const std::string_view does = node.is<Const>()       ? "read as a constant"
                                : node.is<Parameter>() ? "take as an input of a model"
                                                       : "compute";
  if (first.empty())
    found.push_back(node.error("MO-BACK-0012", "output {} is {}, which no runtime can {}", port.index(), name, does)
                        .hint("let the model compute u8 instead; only constants may be {}", name));
  else if (settings.ir_version == 10 || is_older(settings.release, first))
    found.push_back(node.error("MO-BACK-0012", "output {} is {}, which runtimes before {} cannot {}", port.index(),
                               name, first, does)
                        .hint("use --target_runtime {}, or export the model with another element type", first));
  else
    recent.emplace(name, NewerPart{node, std::string(first), "element type"});
}

std::string base_name(const Node& node) {
  if (node.is<Result>()) {
    if (const Value source = node.input(0)) return source.data().result_name();
  }
  const auto sources = node.sources();
  return sources.empty() ? std::string(node.type()) : fmt::format("{}/{}", sources.front(), node.type());
}

}  // namespace

Pass dead_code_elimination() {
  return graph_pass("DeadCodeElimination").run([](Graph& graph, PassContext&) -> Expected<bool> {
    return remove_dead_nodes(graph);
  });
}

Pass final_inference() {
  return graph_pass("FinalInference")
      .phase(Phase::finish)
      .run_after({"CompressToFp16"})
      .only_top_level()
      .run([](Graph& graph, PassContext&) -> Expected<bool> {
        MO_TRY(infer_with_aligned_inputs(graph));
        return true;
      });
}

Pass check_target() {
  return graph_pass("CheckTarget")
      .phase(Phase::finish)
      .run_after({"BoundaryNames"})
      .run([](Graph& graph, PassContext& context) -> Expected<bool> {
        const Settings& settings = context.settings;
        const bool old = settings.ir_version == 10;
        std::map<std::string, Node, std::less<>> newer;        // one node of each op that the target does not read
        std::map<std::string, NewerPart, std::less<>> recent;  // one of each that the first reader of version 11 lacks
        std::vector<Diagnostic> found;
        DynamicShapes dynamic;
        for (const Node node : graph.nodes()) {
          if (node.op_type().opset_name == kBuiltIn)
            found.push_back(
                node.error("MO-BACK-0011", "{} serves mo itself and is in no op set", node.op_type().name)
                    .hint(
                        "this is an error of mo, or of a plugin that created the op: report it with the command line"));
          if (!old && is_growing_state(node) && is_older(settings.release, first_release::with_growing_states))
            found.push_back(node.error("MO-BACK-0013",
                                       "the state has the shape {}: runtimes before {} keep states of "
                                       "known size only",
                                       node.output_type().shape.to_string(), first_release::with_growing_states)
                                .hint("use --target_runtime {}, or give the inputs known shapes with --input_shape",
                                      first_release::with_growing_states));
          const int op_set = op_set_of(node);
          if (op_set != 0 && !settings.is_read(op_set, node.type())) newer.emplace(node.type(), node);
          if (op_set > kFirstOpSetOfVersion11)
            recent.emplace(node.type(), NewerPart{node, first_release_with(node), fmt::format("op set {}", op_set)});
          for (std::size_t i = 0; i < node.out_port_count(); ++i) {
            const OutPort port = node.out_port(i);
            const TensorType& is = port.type();
            // Final inference has run: what is unknown now depends on an input of the model without a type, or a custom
            // op that tells none.
            if (is.element_type == ElementType::dynamic && (!port.disconnected() || port.index() == 0) &&
                !may_lack_types(node))
              found.push_back(node.error("MO-BACK-0003", "the element type of output {} is not known", port.index())
                                  .hint("give the types of the inputs with --input name{{f32}}"));
            else if (old && !is.shape.is_static() && !port.disconnected())
              dynamic.add(node, port);
            else if (old && (node.is<Parameter>() || leads_out(port)) && has_no_elements(is.shape))
              found.push_back(node.error("MO-BACK-0004",
                                         "output {} has the shape {}: runtimes of IR version 10 take no tensor without "
                                         "elements in or out",
                                         port.index(), is.shape.to_string())
                                  .hint("write IR version 11, or give the input another shape with --input_shape"));
            else if (const auto first = first_release_with_type(port); first && !(old && is_string(is)))
              check_type(port, *first, settings, found, recent);
            if (found.size() >= 20) return Error(std::move(found));
          }
        }
        dynamic.report(graph, found);
        if (old || settings.op_set_is_fixed)
          for (const auto& [name, node] : newer) found.push_back(too_new(node, settings));
        if (!found.empty()) return Error(std::move(found));
        if (!recent.empty() && !settings.op_set_is_fixed) context.diagnostics.report(oldest_reader(recent));
        return false;
      });
}

Pass unique_names() {
  return graph_pass("UniqueNames")
      .phase(Phase::finish)
      .run_after({"CheckTarget"})
      .run([](Graph& graph, PassContext&) -> Expected<bool> {
        NameTable& names = graph.names();
        std::vector<bool> taken;  // by id of the name
        const auto take = [&](NameId id) {
          if (taken.size() <= id.index) taken.resize(id.index + std::size_t{1} + taken.size() / 2);
          const bool is_free = !taken[id.index];
          taken[id.index] = true;
          return is_free;
        };
        std::vector<Node> open;
        // Named nodes keep their names; of duplicates, the first one in id order does. Inputs and producers of outputs
        // come first, because users address them.
        std::unordered_set<NodeId> done;
        const auto keep = [&](const Node& node) {
          if (done.insert(node.id()).second && (node.name().empty() || !take(node.name_id()))) open.push_back(node);
        };
        for (const Node& parameter : graph.parameters()) keep(parameter);
        for (const Node& result : graph.results())
          if (result.input(0) && !public_name(result).empty()) keep(result.input(0).node());
        for (const Node node : graph.nodes()) {
          if (done.contains(node.id())) continue;
          if (node.name().empty() || node.is<Result>() || !take(node.name_id())) open.push_back(node);
        }
        std::unordered_map<std::string, std::size_t> next;
        bool changed = false;
        for (const Node& node : open) {
          const std::string base = node.name().empty() ? base_name(node) : std::string(node.name());
          std::string name = base;
          for (std::size_t& i = next[base]; !take(names.intern(name));) name = fmt::format("{}_{}", base, ++i);
          if (name == node.name()) continue;
          node.set_name(name);
          changed = true;
        }
        return changed;
      });
}

}  // namespace mo::phases
