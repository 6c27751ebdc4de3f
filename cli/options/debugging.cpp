#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"

namespace mo::cli {
namespace {

Expected<void> set_list_ops(CommandLine& line, std::string_view text) {
  if (text.empty()) return error("MO-CLI-0005", "--list-ops: the framework is missing").hint("write --list-ops onnx");
  line.options.list_ops = text;
  return {};
}

Expected<void> set_print_config(CommandLine& line, std::string_view text) {
  if (text.empty())
    return error("MO-CLI-0005", "--print-config: the name is missing").hint("write --print-config yolo_v3.json");
  line.options.print_config = text;
  return {};
}

constexpr std::array kDebuggingRows = {
    Row{{.name = "disable-pass",
         .takes = Takes::list,
         .section = &kDebugging,
         .metavar = "NAMES",
         .help = "do not run these passes",
         .manual = {.value = "names, comma list"}},
        add_words<&Options::passes, &PassOptions::disable>},
    Row{{.name = "only-pass",
         .takes = Takes::list,
         .section = &kDebugging,
         .metavar = "NAMES",
         .help = "of the optional passes, run only these",
         .manual = {.value = "names, comma list"}},
        add_words<&Options::passes, &PassOptions::only>},
    Row{{.name = "explain-pass",
         .takes = Takes::list,
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .metavar = "NAMES",
         .help = "print what each rule of these passes did at each node, and why not",
         .manual = {.value = "names, comma list",
                    .meaning = "print what each rule of these passes did at each node that it could start from, [and "
                               "why not](how_to/add_a_replacer.md#why-did-it-not-match)"}},
        add_words<&Options::passes, &PassOptions::explain>},
    Row{{.name = "dump-after",
         .takes = Takes::value,
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .metavar = "REGEX",
         .help = "print the graph after each pass whose name matches",
         .manual = {.value = "regular expression"}},
        set_text<&Options::passes, &PassOptions::dump_after>},
    Row{{.name = "time-passes",
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .help = "print the time that each pass took",
         .manual = {.meaning = "print the time of each pass"}},
        set_flag<&Options::passes, &PassOptions::time>},
    Row{{.name = "verify-each",
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .help = "check the graph after each pass"},
        set_flag<&Options::passes, &PassOptions::verify_each>},
    Row{{.name = "print-pipeline",
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .help = "list the passes in their order, and stop",
         .manual = {.meaning = "list the passes, and stop"}},
        set_flag<&Options::passes, &PassOptions::print_pipeline>},
    Row{{.name = "list-extensions",
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .help = "list everything that is registered, and by whom, and stop"},
        set_flag<&Options::list_extensions>},
    Row{{.name = "list-options",
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .help = "list all options, and stop; with --json as a JSON list"},
        [](CommandLine& line, std::string_view text) { return line.ask_if(text, Action::list_options); }},
    Row{{.name = "json",
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .help = "with --list-options: name, short names, group and value of each as JSON"},
        set_flag<&CommandLine::as_json>},
    Row{{.name = "list-ops",
         .takes = Takes::value,
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .metavar = "FRAMEWORK",
         .words = "onnx tf caffe ir ir-faults onnx-output",
         .help = "list the supported operations of a framework, those of the IR (ir), forms that some runtimes "
                 "compute wrongly (ir-faults), or ops with a form in ONNX (onnx-output), and stop",
         .manual = {.meaning = "list what is supported, and stop"}},
        set_list_ops},
    Row{{.name = "record-usage",
         .takes = Takes::value,
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .metavar = "FILE",
         .is_path = true,
         .help = "append to a file what the conversion used of mo, for a build that has only that (MO_SELECTIVE)",
         .manual = {.value = "path",
                    .meaning = "append to a file what the conversion used of mo, for a [build that has only "
                               "that](selective_build.md)"}},
        set_text<&Options::record_usage>},
    Row{{.name = "depfile",
         .takes = Takes::value,
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .metavar = "FILE",
         .is_path = true,
         .help = "write which files the IR depends on, as a rule of make (make, Ninja and CMake read it)",
         .manual =
             {.value = "path",
              .meaning =
                  "write which files the IR depends on (model, external data, checkpoints, configurations, plugins), "
                  "as a rule of make, which Ninja and CMake read as well; see [mo_convert_model](api.md#cmake)"}},
        set_text<&Options::depfile>},
    Row{{.name = "print-config",
         .takes = Takes::value,
         .section = &kDebugging,
         .acts = Acts::beside_ir,
         .metavar = "NAME",
         .help = "print the built-in configuration of that name, and stop"},
        set_print_config},
};

}  // namespace

std::span<const Row> debugging_options() { return kDebuggingRows; }

}  // namespace mo::cli
