#include "cli/application.hpp"

// The one file that includes CLI11: it is large, and its validators are made at start-up.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <iterator>
#include <memory>

namespace mo::cli {
namespace {

constexpr std::size_t kNameColumn = 34;
constexpr std::size_t kHelpWidth = 92;

/// Breaks `text` at spaces into lines of at most `width` bytes where possible.
std::string wrapped(std::string_view text, std::size_t width) {
  std::string result;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space);
    if (column != 0) {
      const bool fits = column + 1 + word.size() <= width;
      result += fits ? ' ' : '\n';
      column = fits ? column + 1 : 0;
    }
    result += word;
    column += word.size();
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return result;
}

/// CLI11's formatter with our usage line; the value is shown without type or default, which the help text tells.
class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() { column_width(kNameColumn); }

  std::string make_usage(const CLI::App*, std::string) const override { return std::string(kUsage) + "\n"; }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_name().empty() ? "" : " " + option->get_type_name();
  }
};

/// "--mean_values, -ms": CLI11 itself knows short names of one letter only, and those are already translated.
std::string shown_aliases(const OptionRow& row) {
  std::string text;
  std::string_view rest = row.aliases;
  while (!rest.empty()) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    text += (text.empty() ? "(-" : ", -") + std::string(rest.substr(0, space));
    rest.remove_prefix(std::min(space + 1, rest.size()));
  }
  return text.empty() ? text : text + ") ";
}

struct Application {
  CLI::App app{"Converts a trained model to OpenVINO IR: an .xml file with the graph and a .bin file with its constants.", "mo"};
  std::vector<std::pair<const OptionRow*, CLI::Option*>> options;

  explicit Application(const std::vector<const OptionRow*>& rows) {
    app.set_help_flag();  // --help is a row of the table, as everything else
    app.formatter(std::make_shared<HelpFormatter>());
    options.reserve(rows.size());
    for (const OptionRow* row : rows) {
      const std::string name = "--" + std::string(row->name);
      const std::string help = wrapped(shown_aliases(*row) + std::string(row->help), kHelpWidth - kNameColumn);
      CLI::Option* option = row->takes == Takes::nothing ? app.add_flag(name, help) : app.add_option(name, CLI::callback_t(), help);
      option->type_name(std::string(row->metavar));
      option->group(std::string(title(row->section)));
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
      options.emplace_back(row, option);
    }
  }
};

/// The rows that `words` name, in the order of the table. CLI11 compares each new option with all that it has: giving it the whole table
/// would be a sixth of what converting a tiny model costs.
std::vector<const OptionRow*> rows_named_in(const std::vector<std::string>& words) {
  std::vector<std::string_view> names;
  for (const std::string_view word : words)
    if (word.starts_with("--")) names.push_back(word.substr(2, word.find('=') - 2));
  std::vector<const OptionRow*> rows;
  std::ranges::copy_if(option_table(), std::back_inserter(rows),
                       [&](const OptionRow* row) { return std::ranges::find(names, row->name) != names.end(); });
  return rows;
}

constexpr std::string_view kExamples =
    "examples:\n"
    "  mo --input_model model.onnx --output_dir ir\n"
    "  mo -m model.onnx --input_shape [1,3,224,224] --mean_values (123,117,104) --scale 58\n"
    "  mo -m model.onnx --input \"data[1 3 ? ?],mask->1\" --output prob --compress_to_fp16\n"
    "\n"
    "In names of options '-' and '_' are the same, and unambiguous beginnings are enough.\n"
    "Exit codes: 0 done, 1 conversion failed, 2 wrong command line, 3 input cannot be read, 4 input malformed,\n"
    "5 not supported, 6 resource limit, 7 output cannot be written, 8 verification mismatch, 9 extension failed.\n";

}  // namespace

Expected<std::vector<Occurrence>> parse_words_of_options(std::vector<std::string> words) {
  Application application(rows_named_in(words));
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    application.app.parse(std::move(words));
  } catch (const CLI::ParseError& problem) {
    // read_arguments has refused whatever a user can get wrong; this keeps an exception from crossing the boundary all the same.
    return error("MO-CLI-0009", "the command line cannot be parsed: {}", problem.what()).hint("`mo --help` lists all options");
  }
  std::vector<Occurrence> found;
  for (const auto& [row, option] : application.options)
    if (option->count() != 0) found.push_back({row, option->results()});
  return found;
}

std::string help_text() {
  Application application(option_table());
  application.app.footer(std::string(kExamples));
  return application.app.help();
}

}  // namespace mo::cli
