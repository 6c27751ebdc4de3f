#include "tools/opt/options.hpp"

#include <array>

namespace mo::tools {
namespace {

using OptRow = OptionOf<OptOptions>;

constexpr SubcommandText kOptText = {
    "MO-OPT-0002", "MODEL",
    "Runs transformations on a model: an IR (.xml), a text form, or anything that mo converts.\n"
    "All options of mo that say how a model is read are understood as well."};

constexpr std::array kOptRows = {
    OptRow{{.name = "passes",
            .takes = Takes::value,
            .metavar = "LIST",
            .help = "transformations in order: \"GeluFusion moc(use_shapes=false)\""},
           set_text<&OptOptions::passes>},
    OptRow{
        {.name = "output_file",
         .letters = "o",
         .takes = Takes::value,
         .metavar = "FILE",
         .is_path = true,
         .help = "write there: .xml (with .bin), .onnx, .mo or .txt (text form); default: text form on the terminal"},
        set_text<&OptOptions::output>},
    OptRow{{.name = "enable",
            .takes = Takes::list,
            .metavar = "NAME,…",
            .help = "run what is off by default inside of pipelines"},
           add_words<&OptOptions::enable>},
    OptRow{{.name = "disable", .takes = Takes::list, .metavar = "NAME,…", .help = "do not run these"},
           add_words<&OptOptions::disable>},
    OptRow{
        {.name = "only", .takes = Takes::list, .metavar = "NAME,…", .help = "of what pipelines have, run only these"},
        add_words<&OptOptions::only>},
    OptRow{{.name = "describe",
            .takes = Takes::list,
            .metavar = "NAME,…",
            .help = "say what these transformations do, and end"},
           add_words<&OptOptions::describe>},
    OptRow{{.name = "leave",
            .takes = Takes::value,
            .metavar = "EXPRESSION",
            .help = "nodes whose name contains this regular expression (RE2) stay as they are"},
           set_text<&OptOptions::leave>},
    OptRow{{.name = "stage",
            .takes = Takes::value,
            .metavar = "inferred|converted",
            .words = "inferred converted",
            .is_choice = true,
            .help = "of a framework's model: inferred (as it was read, with types) or converted; default: converted"},
           set_text<&OptOptions::stage>},
    OptRow{{.name = "print-passes", .help = "list all transformations, and end"}, set_flag<&OptOptions::print_passes>},
    OptRow{{.name = "dump-changes", .help = "print what each transformation changed in the text form"},
           set_flag<&OptOptions::dump_changes>},
    OptRow{{.name = "time-passes", .help = "print the time of each transformation"},
           set_flag<&OptOptions::time_passes>},
    OptRow{{.name = "trace",
            .takes = Takes::value,
            .metavar = "FILE.json",
            .is_path = true,
            .help = "write the times as a trace that chrome://tracing and Perfetto show"},
           set_text<&OptOptions::trace>},
    OptRow{{.name = "visualize",
            .takes = Takes::value,
            .metavar = "DIR",
            .is_path = true,
            .help = "write a picture after each transformation"},
           set_text<&OptOptions::visualize>},
    OptRow{{.name = "verify-each",
            .takes = Takes::perhaps,
            .metavar = "[graph|numbers]",
            .words = "graph numbers",
            .is_choice = true,
            .otherwise = "graph",
            .help = "check the graph after each transformation; numbers: and that it computes the same"},
           set_text<&OptOptions::verify>},
    OptRow{
        {.name = "bisect-limit", .takes = Takes::value, .metavar = "N", .help = "run only the first N transformations"},
        set_number<Sign::not_negative, &OptOptions::bisect_limit>},
    OptRow{{.name = "reproducer",
            .takes = Takes::value,
            .metavar = "FILE",
            .is_path = true,
            .help = "when a transformation fails, write the graph before it and what is left of LIST: mo opt FILE "
                    "runs that"},
           set_text<&OptOptions::reproducer>},
    OptRow{{.name = "json", .help = "with --print-passes and --describe: as JSON"}, set_flag<&OptOptions::json>},
};

}  // namespace

namespace {

bool names_file(std::string_view text) {
  return text.ends_with(".xml") || text.ends_with(".onnx") || text.ends_with(".mo") || text.ends_with(".txt");
}

/// `--output` names the outputs of the model, as it does for `mo`; a file is meant where it looks like one.
void take_output_file(OptOptions& options) {
  constexpr std::string_view kOutput = "--output";
  std::vector<std::string>& words = options.model_words;
  for (auto word = words.begin(); word != words.end(); ++word) {
    const bool has_value = word->starts_with(kOutput) && word->substr(kOutput.size()).starts_with('=');
    const auto next = word + 1;
    if (!has_value && (*word != kOutput || next == words.end())) continue;
    const std::string value = has_value ? word->substr(kOutput.size() + 1) : *next;
    if (!names_file(value)) continue;
    options.output = value;
    words.erase(word, has_value ? next : next + 1);
    return;
  }
}

}  // namespace

Expected<OptOptions> parse_opt_options(const Invocation& invocation) {
  OptOptions options;
  MO_TRY(parse_subcommand_line(kOptText, kOptRows, invocation, options));
  if (options.output.empty()) take_output_file(options);
  return options;
}

}  // namespace mo::tools
