#include "core/diagnostics/diagnostic.hpp"

namespace mo {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "error";
}

Diagnostic::Diagnostic() = default;
Diagnostic::Diagnostic(Severity severity, std::string_view code, fmt::string_view text, fmt::format_args args)
    : severity(severity), code(code), message(fmt::vformat(text, args)) {}
Diagnostic::Diagnostic(const Diagnostic& other) = default;
Diagnostic::Diagnostic(Diagnostic&& other) noexcept = default;
Diagnostic& Diagnostic::operator=(const Diagnostic& other) = default;
Diagnostic& Diagnostic::operator=(Diagnostic&& other) noexcept = default;
Diagnostic::~Diagnostic() = default;

void Diagnostic::add_note(std::string text) { notes.push_back(std::move(text)); }

void Diagnostic::stamp_node(std::string_view name, std::string_view op_type) {
  if (node.empty()) node = name;
  if (op.empty()) op = op_type;
}

std::string Diagnostic::format() const {
  std::string text = code + ": ";
  if (!op.empty()) text += op + ": ";
  text += message;
  if (!node.empty()) {
    text += "\n  node    '" + node + "'";
    if (!framework.empty()) text += " (" + framework + ")";
  }
  if (!location.empty()) text += "\n  file    " + location;
  if (!phase.empty()) text += "\n  phase   " + phase;
  if (!plugin_code.empty() && message.find(plugin_code) == std::string::npos) text += "\n  plugin  " + plugin_code;
  for (std::size_t i = 0; i < inputs.size(); ++i) text += fmt::format("\n  input {} {}", i, inputs[i]);
  for (const std::string& line : notes) text += "\n  note    " + line;
  // Shapes print as "[?#3,16]", a form that only mo uses.
  if (const std::size_t at = text.find("?#"); at != std::string::npos) {
    const std::size_t end = text.find_first_not_of("0123456789", at + 2);
    text += fmt::format("\n  note    {} is an unknown size with a number: the same number is the same size",
                        text.substr(at, end == std::string::npos ? end : end - at));
  }
  if (!hint_text.empty()) text += "\n  hint    " + hint_text;
  return text;
}

}  // namespace mo
