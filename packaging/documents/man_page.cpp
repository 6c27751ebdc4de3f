#include "packaging/documents/man_page.hpp"

#include <fmt/format.h>

#include "cli/help.hpp"
#include "cli/option_table.hpp"
#include "driver/version.hpp"

namespace mo::documents {
namespace {

/// Plain text in roff: no line begins a request, and '-' stays one when it is copied.
std::string roff(std::string_view text) {
  std::string made;
  for (const char c : text) {
    if (c == '\\')
      made += "\\e";
    else if (c == '-')
      made += "\\-";
    else if ((c == '.' || c == '\'') && (made.empty() || made.back() == '\n'))
      made += std::string("\\&") + c;
    else
      made += c;
  }
  return made;
}

std::string upper_case(std::string_view text) {
  std::string made(text);
  for (char& c : made)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  return made;
}

std::string header(std::string_view program, std::string_view purpose) {
  return fmt::format(".TH {} 1 \"\" \"mo {}\" \"User commands\"\n.SH NAME\n{} \\- {}\n", upper_case(program), version(),
                     roff(program), roff(purpose));
}

/// Text that stays in the lines in which it is.
std::string verbatim(std::string_view text) { return fmt::format(".nf\n{}.fi\n", roff(text)); }

std::string describe(const OptionRow& row) {
  std::string names = fmt::format("\\fB\\-\\-{}\\fR", roff(row.name));
  for (const std::string_view letters : split_words(row.letters))
    names += fmt::format(", \\fB\\-{}\\fR", roff(letters));
  if (!row.metavar.empty()) names += fmt::format(" \\fI{}\\fR", roff(row.metavar));
  return fmt::format(".TP\n{}\n{}\n", names, roff(row.help));
}

/// A page of the help text without its heading.
std::string topic(std::string_view name) {
  const auto text = cli::help_text(name, 78);
  return text ? text->substr(text->find('\n') + 1) : std::string();
}

}  // namespace

std::string man_page(std::span<const tools::Subcommand> subcommands) {
  std::string text = header("mo", "convert trained models to OpenVINO IR");
  text +=
      ".SH SYNOPSIS\n\\fBmo\\fR [\\fIoptions\\fR] \\fIMODEL\\fR\n.br\n\\fBmo\\fR \\fISUBCOMMAND\\fR …\n.br\n\\fBmo "
      "explain\\fR \\fICODE\\fR\n"
      ".SH DESCRIPTION\nReads a trained model (ONNX, TensorFlow, Caffe) and writes OpenVINO Intermediate "
      "Representation: an .xml file with the graph "
      "and\n"
      "a .bin file with its constants. The framework is told by the content of the model.\n";
  text += ".SH SUBCOMMANDS\n";
  for (const tools::Subcommand& subcommand : subcommands)
    text += fmt::format(".TP\n\\fBmo {}\\fR\n{}\n", subcommand.name, roff(subcommand.summary));
  text += "Each has a help text: \\fBmo help\\fR \\fISUBCOMMAND\\fR.\n";
  for (const OptionSection* section : cli::option_sections()) {
    text += fmt::format(".SH {}\n", upper_case(roff(section->title)));
    for (const OptionRow* row : cli::option_table())
      if (row->section == section) text += describe(*row);
  }
  text += ".SH EXAMPLES\n" + verbatim(topic("examples"));
  text += ".SH EXIT STATUS\n" + verbatim(topic("exit-codes"));
  text +=
      ".SH ENVIRONMENT\n.TP\nNO_COLOR\nwhen not empty: no colours\n.TP\nCOLUMNS\nwidth of the help text\n"
      ".TP\nMO_ENABLED_TRANSFORMS, MO_DISABLED_TRANSFORMS\nnames of passes, separated by commas\n"
      ".SH SEE ALSO\n\\fBmo_run\\fR(1), \\fBmo_conformance\\fR(1); the documentation in share/doc/model\\-optimizer\n";
  return text;
}

std::string man_page_of(std::string_view program, std::string_view purpose, std::string_view help) {
  return header(program, purpose) + ".SH DESCRIPTION\n" + verbatim(help) + ".SH SEE ALSO\n\\fBmo\\fR(1)\n";
}

}  // namespace mo::documents
