#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/diagnostics/exit_code.hpp"
#include "core/files/input_files.hpp"
#include "core/graph/bodies.hpp"
#include "driver/model_graph.hpp"
#include "tools/common/console.hpp"
#include "tools/common/picture.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/common/subcommand_line.hpp"

namespace mo::tools {
namespace {

struct DrawOptions : SubcommandOptions {
  std::string output;
  std::string stage = "inferred";
  std::string graph;
  VisualizeOptions picture;
};

Expected<DrawOptions> parse_draw_options(const Invocation& invocation) {
  DrawOptions options;
  MO_ASSIGN(options.picture, visualize_options({.shapes = true, .types = true, .bodies = true}));
  CLI::App app{
      "Draws a model: an IR (.xml), a text form, or anything that mo converts.\nAll options of mo that say how a model "
      "is read are understood as "
      "well."};
  begin_subcommand_options(app, invocation, "", options);
  VisualizeOptions& picture = options.picture;
  app.add_option("-o,--output,--dot_output", options.output,
                 "the picture: .dot, .svg, .png, .pdf …; default: dot on the terminal")
      ->type_name("FILE");
  app.add_option("--graph", options.graph, "the model, as TensorFlow's program of this name takes it")
      ->type_name("MODEL");
  app.add_option("--stage", options.stage,
                 "of a framework's model: inferred (as it was read, with types) or converted; default: inferred")
      ->check(CLI::IsMember({"inferred", "converted"}));
  app.add_option("--around", picture.around, "only these nodes and their neighbours")
      ->type_name("NAME,…")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--neighbours", picture.neighbours, "with --around: so many edges away; default: 2")->type_name("N");
  app.add_option("--most-nodes", picture.most_nodes, "at most so many nodes, those nearest to the outputs")
      ->type_name("N");
  app.add_flag("--shapes,!--no-shapes", picture.shapes, "shapes of outputs; default: yes");
  app.add_flag("--types,!--no-types", picture.types, "element types of outputs; default: yes");
  app.add_flag("--bodies,!--no-bodies", picture.bodies, "graphs inside of nodes; default: yes");
  app.add_flag("--ports", picture.ports, "a line for each input and output");
  app.add_flag("--runtime-info", picture.runtime_info, "runtime attributes");
  app.add_flag("--edge-labels", picture.edge_labels, "numbers of inputs at edges");
  app.add_option("--constant-elements", picture.constant_elements, "of constants, show so many; default: 7")
      ->type_name("N");
  MO_TRY(parse_subcommand_line(app, invocation, "MO-DRAW-0003", options));
  if (!options.graph.empty()) options.model_words.insert(options.model_words.end(), {"--input_model", options.graph});
  return options;
}

/// Graphviz needs seconds for 2,000 nodes, and minutes for some graphs of 10,000, which nobody can look at anyway.
constexpr std::size_t kMostDrawnNodes = 5000;

Expected<void> check_size(Graph& graph, const VisualizeOptions& picture) {
  if (!picture.around.empty()) return {};
  std::size_t nodes = 0;
  for (const Graph* const one : picture.bodies ? with_bodies(graph) : std::vector<Graph*>{&graph})
    nodes += one->node_count();
  if (nodes <= kMostDrawnNodes || (picture.most_nodes != 0 && picture.most_nodes <= kMostDrawnNodes)) return {};
  return error("MO-DRAW-0005", "a picture of {} nodes would be too large to draw", nodes)
      .hint("draw a part with --around NAME or --most-nodes {}, or write a .dot file", kMostDrawnNodes / 10);
}

Expected<void> draw(const Invocation& invocation) {
  MO_ASSIGN(const DrawOptions options, parse_draw_options(invocation));
  if (options.help) {
    fmt::print("{}", options.help_text);
    return {};
  }
  MO_ASSIGN(const Options model_options, invocation.parse_model_options(options.model_words));
  ConsoleSink sink;
  InputFiles read_files;
  const InputFiles::Recording recording(read_files);
  const ModelStage stage = options.stage == "inferred" ? ModelStage::inferred : ModelStage::converted;
  MO_ASSIGN(const ModelGraph model, load_model(model_options, {.stage = stage}, sink));
  for (const std::string& name : options.picture.around)
    if (!model.graph->find_node(name))
      return error("MO-DRAW-0004", "there is no node '{}' in the model", name).hint("`mo draw MODEL` shows all names");
  VisualizeOptions picture = options.picture;
  if (is_drawn(options.output)) {
    MO_TRY(check_size(*model.graph, picture));
    picture.straight = true;
  }
  const std::string dot = visualize_tree(*model.graph, picture);
  if (!options.output.empty()) return write_picture(options.output, dot, &read_files);
  fmt::print("{}", dot);
  return {};
}

ExitCode run_draw(const Invocation& invocation) {
  const auto done = draw(invocation);
  if (done) return ExitCode::ok;
  print(done.error());
  return exit_code_of(done.error());
}

}  // namespace

Subcommand subcommand_draw() {
  return {"draw", {"graph_to_dot"}, "draw a model", [](const Invocation& invocation) {
            return static_cast<int>(run_draw(invocation));
          }};
}

}  // namespace mo::tools
