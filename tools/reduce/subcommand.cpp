#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/diagnostics/exit_code.hpp"
#include "core/support/stopwatch.hpp"
#include "driver/model_graph.hpp"
#include "driver/version.hpp"
#include "tools/common/console.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/common/subcommand_line.hpp"
#include "tools/common/temporary_folder.hpp"
#include "tools/common/write_file.hpp"
#include "tools/reduce/anonymity.hpp"
#include "tools/reduce/command.hpp"
#include "tools/reduce/interruption.hpp"
#include "tools/reduce/reducer.hpp"

namespace mo::tools {
namespace {

struct ReduceOptions : SubcommandOptions {
  std::string model;
  std::string error_code;             ///< a conversion ends with it
  std::string says;                   ///< what the line of that error has, too
  bool crashes = false;               ///< a conversion is killed by a signal
  bool differs = false;               ///< mo verify finds a difference
  std::vector<std::string> command;   ///< ends with 0; {} is the model
  std::string output = "reduced";     ///< folder
  double seconds = 60;                ///< for each test
  std::optional<double> all_seconds;  ///< for all of them
  ReduceLimits limits;
};

using ReduceRow = OptionOf<ReduceOptions>;

constexpr SubcommandText kReduceText = {
    "MO-REDUCE-0001", "MODEL",
    "Makes a model as small as it can be while it still shows a problem, and reveals nothing of the original: weights "
    "become noise, names n0, n1 …\n"
    "The problem is a command after --, which exits with 0 while it persists ({} stands for the model), or one "
    "of --error, --crashes, "
    "--differs.\n"
    "All options of mo that say how a model is read and converted are understood as well."};

constexpr std::array kReduceRows = {
    ReduceRow{{.name = "error", .takes = Takes::value, .metavar = "CODE", .help = "a conversion ends with this error"},
              set_text<&ReduceOptions::error_code>},
    ReduceRow{{.name = "says",
               .takes = Takes::value,
               .metavar = "TEXT",
               .help = "with --error: and its line has this text, where the code alone may mean another place"},
              set_text<&ReduceOptions::says>},
    ReduceRow{{.name = "crashes", .help = "a conversion is killed by a signal"}, set_flag<&ReduceOptions::crashes>},
    ReduceRow{{.name = "differs", .help = "mo verify finds that model and IR differ"},
              set_flag<&ReduceOptions::differs>},
    ReduceRow{{.name = "output",
               .letters = "o",
               .takes = Takes::value,
               .metavar = "DIR",
               .is_path = true,
               .help = "folder for the model and its README.md; default: reduced"},
              set_text<&ReduceOptions::output>},
    ReduceRow{{.name = "timeout",
               .takes = Takes::value,
               .metavar = "SECONDS",
               .help = "for each test; one that takes longer does not hold; default: 60"},
              set_number<Sign::positive, &ReduceOptions::seconds>},
    ReduceRow{
        {.name = "max-tests", .takes = Takes::value, .metavar = "N", .help = "end after so many tests; default: 2000"},
        set_number<Sign::any, &ReduceOptions::limits, &ReduceLimits::tests>},
    ReduceRow{{.name = "max-seconds",
               .takes = Takes::value,
               .metavar = "SECONDS",
               .help = "start no test after so many seconds, and keep the smallest model so far; so does Ctrl-C"},
              set_number<Sign::positive, &ReduceOptions::all_seconds>},
};

Expected<ReduceOptions> parse_reduce_options(const Invocation& invocation) {
  ReduceOptions options;
  Invocation line = invocation;
  if (const auto separator = std::find(line.words.begin(), line.words.end(), "--"); separator != line.words.end()) {
    options.command.assign(separator + 1, line.words.end());
    line.words.erase(separator, line.words.end());
  }
  MO_TRY(parse_subcommand_line(kReduceText, kReduceRows, line, options, {&options.model}));
  const int problems = (options.error_code.empty() ? 0 : 1) + (options.crashes ? 1 : 0) + (options.differs ? 1 : 0) +
                       (options.command.empty() ? 0 : 1);
  if (!options.help && problems != 1)
    return error("MO-REDUCE-0001", "{}: expected one problem", invocation.name)
        .hint("give --error CODE, --crashes, --differs or a command after --");
  if (!options.says.empty() && options.error_code.empty())
    return error("MO-REDUCE-0001", "{}: --says belongs to --error", invocation.name).hint("give --error CODE as well");
  return options;
}

std::string this_program() {
  std::error_code ignored;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return path.string();
}

/// Whether a line has the code of an error, and the text after it.
bool has_error(std::string_view output, const std::string& code, std::string_view text) {
  const std::string wanted = code + ":";
  for (std::size_t at = output.find(wanted); at != std::string_view::npos; at = output.find(wanted, at + 1)) {
    const std::string_view line = output.substr(at, output.find('\n', at) - at);
    if (line.find(text) != std::string_view::npos) return true;
  }
  return false;
}

/// Runs a candidate as a user would, in a process of its own: whatever it does to that.
class Problem {
 public:
  explicit Problem(const ReduceOptions& options) : options_(options) {}

  Expected<bool> is_shown_by(const std::string& model, const std::string& folder) const {
    MO_ASSIGN(const CommandResult result, run_command(command_for(model, folder), options_.seconds));
    if (result.timed_out) return false;
    if (!options_.error_code.empty())
      return result.exit_code > 0 && has_error(result.output, options_.error_code, options_.says);
    if (options_.crashes) return result.signal != 0 || result.output.find("MO-PLUGIN-0033") != std::string::npos;
    if (options_.differs) return result.exit_code == static_cast<int>(ExitCode::verification_failed);
    return result.exit_code == 0;
  }

  std::vector<std::string> command_for(const std::string& model, const std::string& folder) const {
    std::vector<std::string> words;
    if (!options_.command.empty()) {
      for (const std::string& word : options_.command) {
        std::string made = word;
        for (std::size_t at = made.find("{}"); at != std::string::npos; at = made.find("{}", at + model.size()))
          made.replace(at, 2, model);
        words.push_back(std::move(made));
      }
      return words;
    }
    words = {this_program(), options_.differs ? "verify" : "convert"};
    words.insert(words.end(), options_.model_words.begin(), options_.model_words.end());
    words.insert(words.end(), {"--input_model", model});
    if (!options_.differs) words.insert(words.end(), {"--output_dir", folder + "/out", "--silent"});
    return words;
  }

 private:
  const ReduceOptions& options_;
};

/// Types of tensors as far as the model can be inferred, without plugins, which may be what crashes.
std::map<std::string, TensorType> types_of(Options options) {
  std::map<std::string, TensorType> types;
  options.extensions.reset();
  options.transform.clear();
  SilentSink silent;
  const auto model = load_model(options, {.stage = ModelStage::inferred, .carries_unknown_ops = true}, silent);
  if (!model) return types;
  for (const Node node : model->graph->nodes())
    for (const OutPort& port : node.out_ports()) {
      for (const std::string_view name : port.data().tensor_names()) types.emplace(name, port.type());
      types.emplace(port.index() == 0 ? std::string(node.name()) : fmt::format("{}:{}", node.name(), port.index()),
                    port.type());
    }
  return types;
}

std::size_t size_of(const Graph& graph, const ModelForm& form) {
  std::size_t count = 0;
  for (const Node node : graph.nodes())
    count += !node.is<Result>() && !form.is_input(node) && !form.is_constant(node) ? 1 : 0;
  return count;
}

std::string readme(const ReduceOptions& options, const Problem& problem, const std::string& file,
                   const ReducibleModel& model, const Reduction& reduction, const std::vector<std::string>& leaks) {
  std::vector<std::string> command = problem.command_for(file, ".");
  if (options.command.empty()) command.front() = "mo";
  std::string text = fmt::format(
      "# A reduced model\n\nmo {}. The problem shows with\n\n    {}\n\n{} of {} nodes are left, after {} tests{}.\n",
      version(), fmt::join(command, " "), size_of(*reduction.graph, *model.form), size_of(*model.graph, *model.form),
      reduction.tests, reduction.ended_early ? " (it was ended early and may become smaller)" : "");
  text += reduction.names_kept ? "Names of the original are needed to show it, and stand there.\n"
                               : "Names of the original are gone.\n";
  text += reduction.constants_kept == 0
              ? "All weights are noise.\n"
              : fmt::format("{} constants of the original are needed to show it, and stand there.\n",
                            reduction.constants_kept);
  if (leaks.empty()) return text + "Nothing of the names and weights of the original was found in the file.\n";
  return text + fmt::format("Found in the file, of the original: {}.\n", fmt::join(leaks, "; "));
}

/// Time that is over and an interruption end the search with the smallest model so far.
Expected<Reduction> reduce_within_limits(const ReduceOptions& options, const ReducibleModel& model,
                                         const std::map<std::string, TensorType>& types, const HoldsTest& holds) {
  const Interruption interruption;
  const Stopwatch watch;
  ReduceLimits limits = options.limits;
  limits.over = [&] { return interruption.came() || (options.all_seconds && watch.seconds() >= *options.all_seconds); };
  return reduce_model(*model.graph, *model.form, types, holds, limits);
}

Expected<void> reduce(const ReduceOptions& options, const Options& model_options) {
  ConsoleSink sink;
  MO_ASSIGN(const ReducibleModel model, load_reducible(model_options, sink));
  MO_ASSIGN(const auto folder, TemporaryFolder::create("mo_reduce"));
  const Problem problem(options);
  const std::string candidate = folder->path() + "/model" + model.form->ending();
  const auto holds = [&](const Graph& graph) -> Expected<bool> {
    // What cannot be written or run is not a candidate.
    const auto bytes = model.form->written(graph, false);
    if (!bytes) return false;
    MO_TRY(write_file(candidate, *bytes));
    return problem.is_shown_by(candidate, folder->path());
  };
  MO_TRY(model.form->written(*model.graph, false));
  MO_ASSIGN(const bool shown, holds(*model.graph));
  if (!shown)
    return error("MO-REDUCE-0003", "\"{}\" does not show the problem", model_options.input_model)
        .hint("run it by hand: {}", fmt::join(problem.command_for(model_options.input_model, "."), " "));
  const auto types = model.graph->has_types() ? std::map<std::string, TensorType>() : types_of(model_options);
  MO_ASSIGN(const Reduction reduction, reduce_within_limits(options, model, types, holds));

  MO_ASSIGN(const std::string bytes, model.form->written(*reduction.graph, false));
  MO_ASSIGN(const std::vector<std::string> leaks, leaks_of(*model.graph, *model.form, *reduction.graph, bytes));
  // For people, when that shows it as well.
  MO_ASSIGN(const std::string text, model.form->written(*reduction.graph, true));
  const std::string readable = folder->path() + "/readable" + model.form->ending_for_people();
  MO_TRY(write_file(readable, text));
  MO_ASSIGN(const bool as_text, problem.is_shown_by(readable, folder->path()));
  const std::string name = "model" + (as_text ? model.form->ending_for_people() : model.form->ending());
  MO_TRY(write_file(options.output + "/" + name, as_text ? text : bytes));
  MO_TRY(write_file(options.output + "/README.md", readme(options, problem, name, model, reduction, leaks)));
  fmt::print("{}/{}: {} of {} nodes, {} bytes, {} tests{}\n", options.output, name,
             size_of(*reduction.graph, *model.form), size_of(*model.graph, *model.form),
             as_text ? text.size() : bytes.size(), reduction.tests,
             leaks.empty() ? "" : "; see README.md for what is left of the original");
  return {};
}

Expected<void> run_reduce(const Invocation& invocation) {
  MO_ASSIGN(const ReduceOptions options, parse_reduce_options(invocation));
  if (options.help) {
    fmt::print("{}", options.help_text);
    return {};
  }
  std::vector<std::string> words = options.model_words;
  if (!options.model.empty()) words.insert(words.end(), {"--input_model", options.model});
  MO_ASSIGN(const Options model_options, invocation.parse_model_options(words));
  return reduce(options, model_options);
}

}  // namespace

Subcommand subcommand_reduce() {
  return {.name = "reduce",
          .links = {"mo_reduce"},
          .summary = "make a model small and anonymous while it still shows a problem",
          .run =
              [](const Invocation& invocation) {
                const auto done = run_reduce(invocation);
                if (done) return static_cast<int>(ExitCode::ok);
                print(done.error());
                return static_cast<int>(exit_code_of(done.error()));
              },
          .also_tried = {"minimize", "minimise", "shrink", "anonymize"}};
}

}  // namespace mo::tools
