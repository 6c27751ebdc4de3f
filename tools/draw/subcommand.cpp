#include <fmt/format.h>

#include <array>

#include "core/diagnostics/exit_code.hpp"
#include "core/files/input_files.hpp"
#include "core/graph/bodies.hpp"
#include "driver/model_graph.hpp"
#include "tools/common/console.hpp"
#include "tools/common/op_kind.hpp"
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

using DrawRow = OptionOf<DrawOptions>;

constexpr SubcommandText kDrawText = {
    "MO-DRAW-0003", "MODEL",
    "Draws a model: an IR (.xml), a text form, or anything that mo converts.\nAll options of mo that say how a model "
    "is read are understood as "
    "well."};

constexpr std::array kDrawRows = {
    DrawRow{
        {.name = "output",
         .letters = "o",
         .other_names = "dot_output",
         .takes = Takes::value,
         .metavar = "FILE",
         .is_path = true,
         .help = "the picture: .html (a page to search, move and zoom), .dot, .svg, .png, .pdf …; default: dot on the "
                 "terminal"},
        set_text<&DrawOptions::output>},
    DrawRow{{.name = "graph",
             .takes = Takes::value,
             .metavar = "MODEL",
             .help = "the model, as TensorFlow's program of this name takes it"},
            set_text<&DrawOptions::graph>},
    DrawRow{{.name = "stage",
             .takes = Takes::value,
             .metavar = "inferred|converted",
             .words = "inferred converted",
             .is_choice = true,
             .help = "of a framework's model: inferred (as it was read, with types) or converted; default: inferred"},
            set_text<&DrawOptions::stage>},
    DrawRow{
        {.name = "around", .takes = Takes::list, .metavar = "NAME,…", .help = "only these nodes and their neighbours"},
        add_words<&DrawOptions::picture, &VisualizeOptions::around>},
    DrawRow{{.name = "neighbours",
             .takes = Takes::value,
             .metavar = "N",
             .help = "with --around: so many edges away; default: 2"},
            set_number<Sign::any, &DrawOptions::picture, &VisualizeOptions::neighbours>},
    DrawRow{{.name = "most-nodes",
             .takes = Takes::value,
             .metavar = "N",
             .help = "at most so many nodes, those nearest to the outputs"},
            set_number<Sign::any, &DrawOptions::picture, &VisualizeOptions::most_nodes>},
    DrawRow{{.name = "shapes", .help = "shapes of outputs; default: yes"},
            set_flag<&DrawOptions::picture, &VisualizeOptions::shapes>},
    DrawRow{{.name = "no-shapes", .help = "without shapes"},
            clear_flag<&DrawOptions::picture, &VisualizeOptions::shapes>},
    DrawRow{{.name = "types", .help = "element types of outputs; default: yes"},
            set_flag<&DrawOptions::picture, &VisualizeOptions::types>},
    DrawRow{{.name = "no-types", .help = "without types"}, clear_flag<&DrawOptions::picture, &VisualizeOptions::types>},
    DrawRow{{.name = "bodies", .help = "graphs inside of nodes; default: yes"},
            set_flag<&DrawOptions::picture, &VisualizeOptions::bodies>},
    DrawRow{{.name = "no-bodies", .help = "without bodies"},
            clear_flag<&DrawOptions::picture, &VisualizeOptions::bodies>},
    DrawRow{{.name = "ports", .help = "a line for each input and output"},
            set_flag<&DrawOptions::picture, &VisualizeOptions::ports>},
    DrawRow{{.name = "runtime-info", .help = "runtime attributes"},
            set_flag<&DrawOptions::picture, &VisualizeOptions::runtime_info>},
    DrawRow{{.name = "edge-labels", .help = "numbers of inputs at edges"},
            set_flag<&DrawOptions::picture, &VisualizeOptions::edge_labels>},
    DrawRow{{.name = "constants", .help = "constants as well, with their first elements; default: no"},
            set_flag<&DrawOptions::picture, &VisualizeOptions::constants>},
    DrawRow{{.name = "constant-elements",
             .takes = Takes::value,
             .metavar = "N",
             .help = "with --constants: so many elements of each; default: 7"},
            set_number<Sign::any, &DrawOptions::picture, &VisualizeOptions::constant_elements>},
};

Expected<DrawOptions> parse_draw_options(const Invocation& invocation) {
  DrawOptions options;
  MO_ASSIGN(options.picture,
            visualize_options({.shapes = true, .types = true, .compact = true, .constants = false, .bodies = true}));
  MO_TRY(parse_subcommand_line(kDrawText, kDrawRows, invocation, options));
  if (!options.graph.empty()) options.model_words.insert(options.model_words.end(), {"--input_model", options.graph});
  return options;
}

/// Those of the page of a report, as hue, saturation and value.
void add_colours(OpKind kind, std::vector<std::string>& attributes) {
  if (const int hue = hue_of(kind); hue >= 0) {
    attributes.push_back(fmt::format("fillcolor=\"{:.3f} 0.09 0.99\"", hue / 360.0));
    attributes.push_back(fmt::format("color=\"{:.3f} 0.5 0.8\"", hue / 360.0));
  }
}

/// Graphviz needs seconds for 2,000 nodes, and minutes for some graphs of 10,000, which are unreadable anyway.
constexpr std::size_t kMostDrawnNodes = 5000;

Expected<void> check_size(Graph& graph, const VisualizeOptions& picture) {
  if (!picture.around.empty()) return {};
  std::size_t nodes = 0;
  for (const Graph* const one : picture.bodies ? with_bodies(graph) : std::vector<Graph*>{&graph})
    for (const Node node : one->nodes()) nodes += picture.constants || !node.is<Const>() ? 1 : 0;
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
  MO_ASSIGN(const ModelGraph model, load_model(model_options, {.stage = stage, .carries_unknown_ops = true}, sink));
  for (const std::string& name : options.picture.around)
    if (!model.graph->find_node(name))
      return error("MO-DRAW-0004", "there is no node '{}' in the model", name).hint("`mo draw MODEL` shows all names");
  VisualizeOptions picture = options.picture;
  picture.origin_ops = model.source == ModelSource::framework && stage == ModelStage::inferred;
  picture.modify = [&](const Node& node, std::vector<std::string>& attributes) {
    const std::string_view origin = picture.origin_ops ? node.origin().op : std::string_view();
    add_colours(kind_of_op(origin.empty() ? node.type() : origin), attributes);
  };
  if (is_drawn(options.output)) MO_TRY(check_size(*model.graph, picture));
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
  return {.name = "draw",
          .links = {"graph_to_dot"},
          .summary = "draw a model",
          .run = [](const Invocation& invocation) { return static_cast<int>(run_draw(invocation)); },
          .also_tried = {"plot", "show", "visualize", "view", "graph"}};
}

}  // namespace mo::tools
