#include <array>

#include "cli/option_table.hpp"
#include "core/command_line/setters.hpp"
#include "driver/option_grammar.hpp"

namespace mo::cli {
namespace {

Expected<void> set_extensions(CommandLine& line, std::string_view text) {
  line.options.extensions = parse_words(text);
  return {};
}

constexpr std::array kExtensionRows = {
    Row{{.name = "transformations_config",
         .takes = Takes::value,
         .section = &kExtensions,
         .metavar = "PATH",
         .is_path = true,
         .help = "JSON description of sub-graph replacements: a file, the name of a built-in one, or auto, which "
                 "chooses that by the model",
         .manual = {.value = "files, names of built-in ones, `auto`; comma list",
                    .meaning = "JSON descriptions of [sub-graph replacements](extending.md#json-configurations). "
                               "`auto`: the built-in one [that fits](object_detection.md)"}},
        set_text<&Options::transformations_config>},
    Row{{.name = "custom_ops",
         .takes = Takes::list,
         .section = &kExtensions,
         .metavar = "PATHS",
         .is_path = true,
         .help = "JSON descriptions of operations that the converter does not know",
         .manual = {.value = "files, comma list",
                    .meaning = "JSON descriptions of operations that the converter does not know: [custom "
                               "operations](custom_ops.md)"}},
        add_words<&Options::custom_ops>},
    Row{{.name = "extensions",
         .takes = Takes::value,
         .section = &kExtensions,
         .metavar = "PATHS",
         .is_path = true,
         .help = "plugins (shared libraries) and directories of them, separated by commas",
         .manual = {.value = "plugins and directories of them, comma list", .meaning = "load [plugins](plugins.md)"}},
        set_extensions},
    Row{{.name = "transform",
         .takes = Takes::value,
         .section = &kExtensions,
         .metavar = "LIST",
         .help = "additional transformations at the end: Name[key=value;key=value],Name2",
         .manual = {.value = "`Name[key=value;key=value],Name2`",
                    .meaning =
                        "run passes that do not run by themselves: `LowLatency2[use_const_initializer=True]` (keeps "
                        "the states of loops, LSTM, GRU and RNN between two runs; "
                        "[differences](differences.md#behaviour)), `MakeStateful[param_res_names={'input':'output'}]`, "
                        "`Pruning` (takes out channels whose weights are all zero)"}},
        set_text<&Options::transform>},
};

}  // namespace

std::span<const Row> extension_options() { return kExtensionRows; }

}  // namespace mo::cli
