#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mo {

/// What a diagnostic means for the user.
/// error: no IR is written and the exit code is not 0. warning: the result may differ from the framework's. note:
/// nothing to do.
enum class Severity { note, warning, error };

std::string_view to_string(Severity severity);

/// One message for the user: a stable code, the place, and what to do about it.
///
/// Build one with `error(code, text…)` and refine it by chaining: `error("MO-OPS-0012", "axis {} …", axis).hint("…")`.
/// A pass, an op or a reader says what it knows (code, message, hint); the engine that called it adds node, framework
/// op and phase with `at` and `in_phase`, which never overwrite what is already there.
struct Diagnostic {
  // Defined once, not in each file that may fail: there are thousands of errors.
  Diagnostic();
  Diagnostic(Severity severity, std::string_view code, fmt::string_view text, fmt::format_args args);
  Diagnostic(const Diagnostic& other);
  Diagnostic(Diagnostic&& other) noexcept;
  Diagnostic& operator=(const Diagnostic& other);
  Diagnostic& operator=(Diagnostic&& other) noexcept;
  ~Diagnostic();

  Severity severity = Severity::error;
  std::string code;         ///< "MO-OPS-0012", listed in docs/errors.md
  std::string message;      ///< one sentence, no final period
  std::string op;           ///< op type, "SoftMax"
  std::string node;         ///< friendly name of the node
  std::string framework;    ///< "ONNX Softmax, opset 11"
  std::string phase;        ///< "front, while running X"
  std::string location;     ///< file, with offset or line when known
  std::string plugin_code;  ///< "pass Fuse of plugin acme": whose error it is, whatever its code; empty for all others.
                            ///< Exit code 9
  std::string hint_text;    ///< a concrete next step
  std::vector<std::string> inputs;  ///< "'scores': f32[1,12]", by input port
  std::vector<std::string> notes;   ///< further lines, outermost context last

  template <class... Args>
  Diagnostic hint(fmt::format_string<Args...> text, Args&&... args) && {
    hint_text = fmt::vformat(text, fmt::make_format_args(args...));
    return std::move(*this);
  }
  template <class... Args>
  Diagnostic note(fmt::format_string<Args...> text, Args&&... args) && {
    add_note(fmt::vformat(text, fmt::make_format_args(args...)));
    return std::move(*this);
  }
  Diagnostic at_node(std::string_view name, std::string_view op_type = {}) && {
    stamp_node(name, op_type);
    return std::move(*this);
  }
  Diagnostic in_file(std::string_view where) && {
    if (location.empty()) location = where;
    return std::move(*this);
  }

  void add_note(std::string text);
  /// Fills node and op where they are still empty.
  void stamp_node(std::string_view name, std::string_view op_type);

  /// The full text: first line `CODE: Op: message`, then the indented lines that are known.
  std::string format() const;
};

/// An error diagnostic. The code is always the first argument, so that tools find every code in the sources.
template <class... Args>
[[nodiscard]] Diagnostic error(std::string_view code, fmt::format_string<Args...> text, Args&&... args) {
  return Diagnostic(Severity::error, code, text, fmt::make_format_args(args...));
}

template <class... Args>
[[nodiscard]] Diagnostic warning(std::string_view code, fmt::format_string<Args...> text, Args&&... args) {
  return Diagnostic(Severity::warning, code, text, fmt::make_format_args(args...));
}

/// Receives what is not a failure of the current call: warnings and notes. Errors travel through Expected.
class DiagnosticSink {
 public:
  virtual ~DiagnosticSink() = default;
  virtual void report(Diagnostic diagnostic) = 0;
};

/// A sink that keeps everything, in order.
class DiagnosticList final : public DiagnosticSink {
 public:
  void report(Diagnostic diagnostic) override { items.push_back(std::move(diagnostic)); }
  std::vector<Diagnostic> items;
};

}  // namespace mo
