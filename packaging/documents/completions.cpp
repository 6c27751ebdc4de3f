#include "packaging/documents/completions.hpp"

#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "cli/option_table.hpp"

namespace mo::documents {
namespace {

/// "--name" and its short names.
std::vector<std::string> spellings(const OptionRow& row) {
  std::vector<std::string> all{"--" + std::string(row.name)};
  for (const std::string_view letters : split_words(row.letters)) all.push_back("-" + std::string(letters));
  return all;
}

/// `text` inside of single quotes, with `escaped` characters behind a backslash.
std::string escape(std::string_view text, std::string_view escaped) {
  std::string made;
  for (const char c : text) {
    if (c == '\'')
      made += "'\\''";
    else
      made += escaped.find(c) == std::string_view::npos ? std::string(1, c) : std::string("\\") + c;
  }
  return made;
}

std::string names_of(std::span<const tools::Subcommand> subcommands, std::string_view between) {
  std::string text;
  for (const tools::Subcommand& subcommand : subcommands)
    text += fmt::format("{}{}", text.empty() ? "" : between, subcommand.name);
  return text;
}

bool takes_value(const OptionRow& row) { return row.takes == Takes::value || row.takes == Takes::list; }

}  // namespace

std::string bash_completion(std::span<const tools::Subcommand> subcommands) {
  std::vector<std::string> options;
  std::vector<std::string> files;
  std::vector<std::string> texts;
  std::string words;
  for (const OptionRow* row : cli::option_table()) {
    const std::vector<std::string> names = spellings(*row);
    options.insert(options.end(), names.begin(), names.end());
    const std::string_view choices = row->words;
    if (!choices.empty())
      words += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n", fmt::join(names, "|"),
                           choices);
    else if (takes_value(*row))
      (row->is_path ? files : texts).insert((row->is_path ? files : texts).end(), names.begin(), names.end());
  }
  return fmt::format(
      "# bash completion for mo; made from its option table\n"
      "_mo() {{\n"
      "  local own=\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n"
      "    {}) [ \"$COMP_CWORD\" -gt 1 ] && own=\"$(\"${{COMP_WORDS[0]}}\" \"${{COMP_WORDS[1]}}\" --help 2>/dev/null | "
      "grep "
      "-o -e '--[a-z][a-z_-]*')\" ;;\n"
      "  esac\n"
      "  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n"
      "  # --name=value comes as three words\n"
      "  if [ \"$word\" = = ]; then word=; elif [ \"$before\" = = ]; then before=\"${{COMP_WORDS[COMP_CWORD-2]}}\"; "
      "fi\n"
      "  case \"$before\" in\n"
      "{}"
      "    {}) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
      "    {}) return ;;\n"
      "  esac\n"
      "  case \"$word\" in\n"
      "    -*) COMPREPLY=($(compgen -W \"$own {}\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$word\")); [ \"$COMP_CWORD\" -eq 1 ] && COMPREPLY+=($(compgen -W '{}' -- "
      "\"$word\")) ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _mo mo\n",
      names_of(subcommands, "|"), words, fmt::join(files, "|"), fmt::join(texts, "|"), fmt::join(options, " "),
      names_of(subcommands, " "));
}

std::string zsh_completion(std::span<const tools::Subcommand> subcommands) {
  std::string text =
      "#compdef mo\n# zsh completion for mo; made from its option table\n_mo_first() {\n  local -a names=(\n";
  for (const tools::Subcommand& subcommand : subcommands)
    text += fmt::format("    '{}:{}'\n", subcommand.name, escape(subcommand.summary, ":\\"));
  text +=
      "  )\n  _describe subcommand names\n  _files\n}\n"
      "local -a own\n"
      "case \"$words[2]\" in\n";
  text += fmt::format(
      "  {}) (( CURRENT > 2 )) && own=(${{(fu)\"$($words[1] $words[2] --help 2>/dev/null | grep -o -e "
      "'--[a-z][a-z_-]*')\"}})\n"
      "esac\n"
      "(( $#own )) && [[ $words[CURRENT] == -* ]] && compadd -- $own\n"
      "_arguments -S \\\n",
      names_of(subcommands, "|"));
  for (const OptionRow* row : cli::option_table()) {
    const std::string help = escape(row->help, "[]:\\");
    const std::string_view choices = row->words;
    const std::string value = !choices.empty() ? fmt::format("({})", choices) : row->is_path ? "_files" : " ";
    const std::string label = row->metavar.empty() ? "value" : escape(row->metavar, "[]:\\");
    for (const std::string& name : spellings(*row)) {
      const bool is_long = name.starts_with("--");
      std::string spec = fmt::format("{}{}[{}]", name, takes_value(*row) && is_long ? "=" : "", help);
      if (takes_value(*row)) spec += fmt::format(":{}:{}", label, value);
      if (row->takes == Takes::perhaps) spec += fmt::format("::{}:{}", label, value);
      text += fmt::format("  '*{}' \\\n", spec);
    }
  }
  return text + "  '1:subcommand or model:_mo_first' \\\n  '*:model:_files'\n";
}

std::string fish_completion(std::span<const tools::Subcommand> subcommands) {
  std::string text = "# fish completion for mo; made from its option table\n";
  for (const tools::Subcommand& subcommand : subcommands)
    text += fmt::format(
        "complete -c mo -n __fish_use_subcommand -a {0} -d '{1}'\n"
        "complete -c mo -n '__fish_seen_subcommand_from {0}' -a '(mo {0} --help 2>/dev/null | string match -r -a -- "
        "\"--[a-z][a-z_-]*\")'\n",
        subcommand.name, escape(subcommand.summary, "\\"));
  for (const OptionRow* row : cli::option_table()) {
    std::string line = fmt::format("complete -c mo -l {}", row->name);
    for (const std::string_view alias : split_words(row->letters))
      line += fmt::format(" -{} {}", alias.size() == 1 ? 's' : 'o', alias);
    const std::string_view choices = row->words;
    if (!choices.empty())
      line += fmt::format(" -{} -a '{}'", row->takes == Takes::perhaps ? "f" : "x", choices);
    else if (takes_value(*row))
      line += row->is_path ? " -r -F" : " -x";
    text += fmt::format("{} -d '{}'\n", line, escape(row->help, "\\"));
  }
  return text;
}

}  // namespace mo::documents
