#include <algorithm>

#include "graph_transforms/engine/editor.hpp"
#include "graph_transforms/engine/registry.hpp"
#include "graph_transforms/engine/services.hpp"
#include "graph_transforms/support/op_table.hpp"

namespace mo::graph_transforms {
namespace {

struct LoggingOptions {
  std::vector<std::string> ops;
  std::vector<std::string> prefixes;
  std::string message;
  bool show_name = false;
  bool show_op = false;
  std::int64_t first_n = -1;
  std::int64_t summarize = 1024;

  bool wants(const Node& node) const {
    const auto begins = [&](const std::string& prefix) { return node.name().starts_with(prefix); };
    return (ops.empty() || std::find(ops.begin(), ops.end(), op_of(node)) != ops.end()) &&
           (prefixes.empty() || std::any_of(prefixes.begin(), prefixes.end(), begins));
  }
};

Expected<LoggingOptions> read_logging_options(const TransformFuncContext& context) {
  LoggingOptions options{context.parameters("op"), context.parameters("prefix"), {}, false, false, -1, 1024};
  MO_ASSIGN(options.message, context.one_string("message", ""));
  MO_ASSIGN(options.show_name, context.one_bool("show_name", false));
  MO_ASSIGN(options.show_op, context.one_bool("show_op", false));
  MO_ASSIGN(options.first_n, context.one_int32("first_n", -1));
  MO_ASSIGN(options.summarize, context.one_int32("summarize", 1024));
  return options;
}

Expected<void> log_node(GraphEditor& editor, const Node& node, const LoggingOptions& options) {
  // Print takes tensors: those that are read.
  std::vector<Value> read;
  for (const OutPort& port : node.out_ports())
    if (!port.disconnected()) read.push_back(port);
  if (read.empty()) return {};
  const std::optional<std::vector<AttributeValue>> types = output_types_of(node);
  if (!types || types->size() <= read.back().index())
    return node.error("MO-GTT-0027", "the types of the outputs of {} are not known", op_of(node))
        .hint("choose other nodes with op=… or prefix=…");
  const std::string name = std::string(node.name()) + "__print__";
  AttributeList listed;
  std::vector<Value> inputs{node.output()};
  for (const Value& value : read) {
    inputs.push_back(value);
    listed.push_back((*types)[value.index()]);
  }
  std::string message;
  if (options.show_op) message += fmt::format(";{};", op_of(node));
  if (options.show_name) message += fmt::format(";{};", name);
  AttributeMap attributes{{"T", types->front()},
                          {"U", std::move(listed)},
                          {"message", message + options.message},
                          {"first_n", options.first_n},
                          {"summarize", options.summarize}};
  const Node print = editor.create("Print", editor.free_name(name), {}, std::move(attributes));
  editor.redirect(node.output(), print.output());
  for (std::size_t i = 0; i < inputs.size(); ++i) editor.set_input(print, i, inputs[i]);
  return {};
}

/// Other frameworks print nothing: logged tensors become outputs of the model.
Expected<void> add_outputs(Graph& graph, const std::vector<Node>& wanted, const TransformFuncContext& context) {
  MO_ASSERT(context.services != nullptr, "the caller does not support adding outputs");
  std::vector<std::string> references;
  for (const Node& node : wanted) {
    if (is_op_of(op_of(node), "Const|SparseConst|Placeholder")) continue;
    for (const OutPort& port : node.out_ports())
      if (!port.disconnected())
        references.push_back(port.index() == 0 ? std::string(node.name())
                                               : fmt::format("{}:{}", node.name(), port.index()));
  }
  MO_ASSIGN(const std::vector<std::string> left_out, context.services->add_outputs(graph, references));
  if (!left_out.empty())
    context.warn(warning("MO-GTT-0073", "{} tensors have no known rank, and do not become outputs: '{}'{}",
                         left_out.size(), left_out.front(), left_out.size() > 1 ? " …" : "")
                     .hint("choose others with op=… or prefix=…"));
  return {};
}

}  // namespace

/// Puts a Print after nodes of the ops `op` and with names that begin with `prefix` (default: all that are read);
/// models of ONNX and Caffe get outputs instead.
void register_insert_logging(TransformRegistry& registry) {
  registry.register_transform("insert_logging", Scope::any, Numbers::same,
                              [](Graph& graph, const TransformFuncContext& context) -> Expected<void> {
                                MO_ASSIGN(const LoggingOptions options, read_logging_options(context));
                                GraphEditor editor(graph, context);
                                std::vector<Node> wanted;
                                for (const Node node : graph.nodes())
                                  if (options.wants(node)) wanted.push_back(node);
                                if (framework_of(graph) != "tf") return add_outputs(graph, wanted, context);
                                for (const Node& node : wanted) MO_TRY(log_node(editor, node, options));
                                return {};
                              });
  registry.describe("insert_logging",
                    {"Inserts a Print after nodes, or adds outputs to models of other frameworks",
                     {{"op", "text", "all", "operators to log; may be repeated"},
                      {"prefix", "text", "all", "beginnings of the names of nodes to log; may be repeated"},
                      {"show_op", "true or false", "false", "begin each message with the operator"},
                      {"show_name", "true or false", "false", "begin each message with the name of the Print"},
                      {"message", "text", "nothing", "text before the values"},
                      {"first_n", "integer", "-1", "how often a node prints; -1: always"},
                      {"summarize", "integer", "1024", "how many elements are printed"}}});
}

}  // namespace mo::graph_transforms
