#include "cli/help.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "cli/option_table.hpp"
#include "core/command_line/option_text.hpp"
#include "core/support/nearest.hpp"

namespace mo::cli {

namespace {

constexpr std::string_view kPurpose =
    "Converts a trained model to OpenVINO IR: an .xml file with the graph and a .bin file with its constants.";

/// Each of them is run by tests/e2e/help_test.py as it stands, in bash and in zsh: whatever a shell would take for its
/// own is quoted.
constexpr std::string_view kExamples =
    "examples:\n"
    "  mo model.onnx\n"
    "  mo --input_model model.onnx --output_dir ir\n"
    "  mo -m model.onnx --input_shape '[1,3,224,224]' --mean_values '(123,117,104)' --scale 58\n"
    "  mo -m model.onnx --input 'data[1,3,?,?]' --output prob --compress_to_fp16\n"
    "  mo --saved_model_dir saved_model\n"
    "  mo explain MO-OPS-0012\n";

constexpr std::string_view kNames =
    "In names of options '-' and '_' are the same, and unambiguous beginnings are enough.";

constexpr std::string_view kExitCodes =
    "exit codes:\n"
    "  0 done\n"
    "  1 conversion failed\n"
    "  2 wrong command line\n"
    "  3 input cannot be read\n"
    "  4 input malformed\n"
    "  5 not supported\n"
    "  6 resource limit\n"
    "  7 output cannot be written\n"
    "  8 model and IR differ\n"
    "  9 extension failed\n";

std::string describe(const OptionSection& section, std::size_t width) {
  std::string text = wrapped(std::string(section.title) + ":", 0, width);
  for (const OptionRow* row : option_table())
    if (row->section == &section) text += describe(*row, width);
  return text;
}

std::vector<std::string> topic_names() {
  std::vector<std::string> names;
  for (const OptionSection* section : option_sections()) {
    names.emplace_back(section->topic);
    if (!section->framework.empty() && section->framework != section->topic) names.emplace_back(section->framework);
  }
  names.insert(names.end(), {"subcommands", "examples", "exit-codes", "topics"});
  return names;
}

std::string describe_topics(std::size_t width) {
  return wrapped(fmt::format("mo --help TOPIC shows less than all this: {}, or the name of an option.",
                             fmt::join(topic_names(), ", ")),
                 0, width);
}

/// A line for each of them.
std::string describe(std::span<const tools::Subcommand> subcommands, std::size_t width) {
  if (subcommands.empty()) return "this mo has no subcommands\n";
  std::size_t longest = 0;
  for (const tools::Subcommand& subcommand : subcommands) longest = std::max(longest, subcommand.name.size());
  std::string text = "subcommands (mo help NAME says more):\n";
  for (const tools::Subcommand& subcommand : subcommands) {
    const std::string line = fmt::format("  mo {:<{}}  {}\n", subcommand.name, longest, subcommand.summary);
    text += line.size() <= width + 1
                ? line
                : fmt::format("  mo {}\n{}", subcommand.name, wrapped(subcommand.summary, 4, width));
  }
  return text;
}

bool contains(std::string_view text, std::string_view lower_case) {
  const auto is_same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
  return std::search(text.begin(), text.end(), lower_case.begin(), lower_case.end(), is_same) != text.end();
}

/// A line when a subcommand has the name of an option.
std::string also_a_subcommand(std::string_view name, std::span<const tools::Subcommand> subcommands) {
  for (const tools::Subcommand& subcommand : subcommands)
    if (subcommand.name == name)
      return fmt::format("mo help {} is about the subcommand: {}\n", name, subcommand.summary);
  return {};
}

/// The options whose names or texts have the word, and what to write in place of an option that there is not; empty
/// when there is nothing.
std::string mentions(std::string_view word, std::size_t width) {
  std::string text;
  for (const std::span<const Row> refused : {former_options(), foreign_options()})
    for (const Row& row : refused)
      if (is_called(row, word))
        text += wrapped(fmt::format("there is no option --{}: {}", row.name, row.advice), 0, width) + "\n";
  if (word.size() < 3) return text;
  std::string options;
  for (const OptionRow* row : option_table())
    if (contains(normalized(row->name), word) || contains(row->help, word)) options += describe(*row, width);
  return options.empty() ? text : fmt::format("{}options with \"{}\" in their text:\n{}", text, word, options);
}

std::string everything(std::size_t width, std::span<const tools::Subcommand> subcommands) {
  std::string text = wrapped(kPurpose, 0, width) + std::string(kUsage) + "\n";
  if (!subcommands.empty()) text += "\n" + describe(subcommands, width);
  for (const OptionSection* section : option_sections()) text += "\n" + describe(*section, width);
  return fmt::format("{}\n{}\n{}{}\n{}", text, kExamples, wrapped(kNames, 0, width), describe_topics(width),
                     kExitCodes);
}

}  // namespace

std::string list_of(std::span<const tools::Subcommand> subcommands) {
  if (subcommands.empty()) return {};
  std::vector<std::string_view> names;
  for (const tools::Subcommand& subcommand : subcommands) names.emplace_back(subcommand.name);
  return fmt::format("subcommands: {}\n", fmt::join(names, ", "));
}

Expected<std::string> help_text(std::string_view topic, std::size_t width,
                                std::span<const tools::Subcommand> subcommands) {
  std::string wanted = normalized(topic.substr(std::min(topic.find_first_not_of('-'), topic.size())));
  std::ranges::transform(wanted, wanted.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (wanted.empty() || wanted == "all" || wanted == "true") return everything(width, subcommands);
  if (wanted == "subcommands") return describe(subcommands, width);
  if (wanted == "examples") return std::string(kExamples);
  if (wanted == "exit_codes") return std::string(kExitCodes);
  if (wanted == "topics") return describe_topics(width);
  // A topic may be a section and an option ("input"): the option is what has that name on the command line.
  for (const OptionRow* row : option_table())
    if (std::string name = normalized(row->name);
        std::ranges::equal(name, wanted, [](char a, char b) { return (a | 32) == (b | 32); }))
      return describe(*row, width) + also_a_subcommand(wanted, subcommands);
  for (const OptionSection* section : option_sections())
    if (wanted == section->topic || wanted == section->framework) return describe(*section, width);
  if (const std::string found = mentions(wanted, width); !found.empty()) return found;
  std::vector<std::string> known = topic_names();
  const std::string topics = fmt::format("{}", fmt::join(known, ", "));
  for (const OptionRow* row : option_table()) known.emplace_back(row->name);
  const std::string near = nearest(wanted, known, std::max<std::size_t>(2, wanted.size() / 3));
  return error("MO-CLI-0072", "there is no help about {}", in_quotes(topic))
      .hint("{}topics: {}, or the name of an option", near.empty() ? "" : fmt::format("did you mean '{}'? ", near),
            topics);
}

}  // namespace mo::cli
