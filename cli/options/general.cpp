#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"
#include "driver/option_grammar.hpp"

namespace mo::cli {
namespace {

constexpr std::string_view kLevels = "CRITICAL ERROR WARN WARNING INFO DEBUG NOTSET";

Expected<void> set_log_level(CommandLine& line, std::string_view text) {
  std::string level(text);
  for (char& c : level)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');  // toupper would ask the locale (Turkish i)
  if (const auto levels = split_words(kLevels); std::ranges::find(levels, level) == levels.end())
    return error("MO-CLI-0005", "--log_level: {} is not a level", in_quotes(text))
        .hint("use one of: {}", fmt::join(levels, ", "));
  line.options.log_level = std::move(level);
  return {};
}

Expected<void> set_output_dir(CommandLine& line, std::string_view text) {
  line.options.output_dir = text.empty() ? "." : std::string(text);
  return {};
}

/// "500", "500MB", "2GB": megabytes where nothing is said.
Expected<void> set_max_memory(CommandLine& line, std::string_view text) {
  struct Unit {
    std::string_view suffix;
    double bytes;
  };
  static constexpr std::array kUnits = {Unit{"MB", 1e6}, Unit{"GB", 1e9}};
  double bytes = 1e6;
  std::string_view number = text;
  for (const Unit& unit : kUnits)
    if (text.ends_with(unit.suffix)) {
      number.remove_suffix(unit.suffix.size());
      bytes = unit.bytes;
    }
  MO_ASSIGN(const double count, parse_real("--max-memory", number));
  if (!(count * bytes >= 1e6 && count * bytes <= 1e15))
    return error("MO-CLI-0005", "--max-memory: {} is not possible", in_quotes(text))
        .hint("write megabytes or a unit: 500, 500MB, 2GB");
  line.options.budget.max_memory = static_cast<std::uint64_t>(count * bytes);
  return {};
}

Expected<void> set_max_time(CommandLine& line, std::string_view text) {
  MO_ASSIGN(const double seconds, parse_real("--max-time", text));
  if (!(seconds > 0 && seconds <= 1e9))
    return error("MO-CLI-0005", "--max-time: {} is not possible", in_quotes(text)).hint("write seconds: 60");
  line.options.budget.max_seconds = seconds;
  return {};
}

constexpr std::array kGeneralRows = {
    Row{{.name = "help",
         .letters = "h",
         .takes = Takes::perhaps,
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .metavar = "[TOPIC]",
         .words = "general model preprocessing ir optimisation extensions debugging deprecated tensorflow caffe mxnet "
                  "kaldi subcommands examples exit-codes topics",
         .otherwise = "all",
         .help = "print this text, or what it says about a topic or an option",
         .manual = {.otherwise = "all",
                    .meaning = "print all options, those of a section (`--help tensorflow`), one of them (`--help "
                               "input_shape`), `subcommands`, `examples`, `exit-codes` or `topics`; wins over "
                               "everything else on the "
                               "line. Lines fit the terminal (or `COLUMNS`, else 80)"}},
        [](CommandLine& line, std::string_view text) { return line.ask(Action::print_help, text); }},
    Row{{.name = "version",
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .help = "print the version, the commit, and what can be read and written",
         .manual = {.meaning = "print `Version of Model Optimizer is: <version>`, then the commit, the IR versions and "
                               "op sets that can be written, and the frameworks that are read"}},
        [](CommandLine& line, std::string_view text) { return line.ask_if(text, Action::print_version); }},
    Row{{.name = "explain",
         .takes = Takes::value,
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .metavar = "CODE",
         .help = "print what an error code, or a message of the original, means and what to do; also: mo explain CODE",
         .manual = {.value = "error code",
                    .meaning =
                        "print what [errors.md](errors.md) says about a code, and stop; also `mo explain MO-OPS-0012`, "
                        "`mo explain ops-0012`. A message of the original Model Optimizer or a question of its FAQ "
                        "leads to our codes: `mo explain \"No node with name\"`, `mo explain \"question #38\"`"}},
        [](CommandLine& line, std::string_view text) { return line.ask(Action::explain, text); }},
    Row{{.name = "input_model",
         .letters = "w m",
         .takes = Takes::value,
         .section = &kGeneral,
         .metavar = "PATH",
         .is_path = true,
         .is_operand = true,
         .help = "the model file: .onnx; .pb or .pbtxt (TensorFlow); .caffemodel (Caffe)",
         .manual = {.meaning = "the model file"}},
        set_text<&Options::input_model>},
    Row{{.name = "framework",
         .takes = Takes::value,
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .metavar = "NAME",
         .words = "onnx tf caffe mxnet kaldi",
         .help =
             "tf, caffe, mxnet, kaldi, onnx, or one that a plugin brings; deduced from the model file when not given",
         .manual =
             {.value = "`tf`, `caffe`, `mxnet`, `kaldi`, `onnx`",
              .otherwise = "deduced",
              .meaning =
                  "the importer. Deduced from an option that only one framework has (`--saved_model_dir`, "
                  "`--input_meta_graph`, `--input_symbol`, `--pretrained_model_name`, `--input_proto`), else from the "
                  "content of the model ([what is given as a model](#what-is-given-as-a-model)), else from its name: "
                  "`.onnx` and `.onnxtxt`, `.pb` and `.pbtxt`, `.caffemodel`, `.params`, `.nnet`, `.mdl`"},
         .example = "onnx"},
        set_text<&Options::framework>},
    Row{{.name = "model_name",
         .letters = "n",
         .takes = Takes::value,
         .section = &kGeneral,
         .metavar = "NAME",
         .help = "name of the network and of its files; default: name of the model file",
         .manual = {.value = "file name",
                    .otherwise = "stem of the model file",
                    .meaning = "name of the network, the `.xml` and the `.bin`; a folder of the output directory may "
                               "be in front: `models/net`"}},
        set_text<&Options::model_name>},
    Row{{.name = "output_dir",
         .letters = "o",
         .takes = Takes::value,
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .metavar = "PATH",
         .is_path = true,
         .help = "where the .xml and .bin files go; default: the current directory; or the file: NAME.xml or NAME.onnx",
         .manual = {.otherwise = "`.`",
                    .meaning = "where the files go; made with its parents when it is missing. `NAME.xml` and "
                               "`NAME.onnx`, where no folder is called so, name the file itself, and with it the "
                               "format (`--to`)"},
         .example = "elsewhere"},
        set_output_dir},
    Row{{.name = "durable",
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .help = "wait until the .xml and .bin have reached the disk (fsync)",
         .manual = {.otherwise = "off", .meaning = "wait until both files have reached the disk, see \"Files\""}},
        set_flag<&Options::durable>},
    Row{{.name = "verify",
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .help = "run the model and its IR afterwards, and compare what they compute (mo verify)",
         .manual = {.otherwise = "off",
                    .meaning = "run the model and its IR afterwards with the same random numbers, and compare; exit "
                               "code 8 when they differ ([mo verify](tools.md#mo-verify))"}},
        set_flag<&Options::verify>},
    Row{{.name = "report",
         .takes = Takes::value,
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .metavar = "FILE",
         .is_path = true,
         .help = "a report of the conversion, .html (a page for browsers, in one file) or .json: messages, fusions, "
                 "constants, times, both graphs",
         .manual = {.value = "`.html` or `.json` file",
                    .meaning = "a report of the conversion, also of one that fails: a page for browsers in one file, "
                               "or JSON ([Reports](tools.md#reports))"},
         .example = "report.html"},
        set_text<&Options::report>},
    Row{{.name = "log_level",
         .takes = Takes::value,
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .metavar = "LEVEL",
         .words = kLevels,
         .help = "CRITICAL, ERROR, WARN, WARNING, INFO, DEBUG or NOTSET; default: ERROR",
         .manual =
             {.value = "`CRITICAL`, `ERROR`, `WARN`, `WARNING`, `INFO`, `DEBUG`, `NOTSET`",
              .otherwise = "`ERROR`",
              .meaning =
                  "log on stderr, see \"Log\". Warnings are shown at every level but `CRITICAL`, notes from `INFO` on"},
         .example = "DEBUG"},
        set_log_level},
    Row{{.name = "allow-links",
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .help = "follow links to the files that a model names (external data, checkpoints), as the cache of a model "
                 "hub has them",
         .manual = {.otherwise = "off",
                    .meaning = "follow links to the files that a model names: external data, the files of a "
                               "checkpoint. For models that you trust, in the cache of a model hub"}},
        set_flag<&Options::allow_links>},
    Row{{.name = "silent",
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .help = "print only results and errors",
         .manual = {.otherwise = "off",
                    .meaning = "print neither the list of arguments nor warnings, and log nothing below `ERROR`"}},
        set_flag<&Options::silent>},
    Row{{.name = "progress",
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .help = "show how far the conversion got",
         .manual = {.otherwise = "off",
                    .meaning = "a progress bar on stdout: share of the work, current step, time left"}},
        set_flag<&Options::progress>},
    Row{{.name = "stream_output",
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .help = "with --progress: a new line for each step",
         .manual = {.otherwise = "off", .meaning = "with `--progress`: one line per step"}},
        set_flag<&Options::stream_output>},
    Row{{.name = "max-memory",
         .takes = Takes::value,
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .metavar = "SIZE",
         .help = "the most that graph and constants may take: 500MB, 2GB; default: 1.5 GB, or four times the model",
         .manual =
             {.value = "size: `500`, `500MB`, `2GB`",
              .otherwise = "1.5 GB, or four times the files that are read",
              .meaning = "the most that graph and constants may take at one time, see [limits](bad_input.md#limits)"},
         .example = "1GB"},
        set_max_memory},
    Row{{.name = "max-time",
         .takes = Takes::value,
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .metavar = "SECONDS",
         .help = "the most processor time; default: a limit of work that follows from the size of the model",
         .manual = {.otherwise = "a limit of work that follows from the size of the files",
                    .meaning = "the most processor time"},
         .example = "60"},
        set_max_time},
    Row{{.name = "trusted",
         .section = &kGeneral,
         .acts = Acts::beside_ir,
         .help = "trust the model: lift the limits derived from its size",
         .manual = {.otherwise = "off",
                    .meaning = "lift the limits derived from the size of the model; `--max-memory` and "
                               "`--max-time` still hold"}},
        set_flag<&Options::budget, &BudgetOptions::trusted>},
};

}  // namespace

std::span<const Row> general_options() { return kGeneralRows; }

}  // namespace mo::cli
