#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "core/execution/executor.hpp"
#include "core/inference/infer.hpp"
#include "core/pass/pass_manager.hpp"
#include "core/tensor/convert.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "driver/pipeline.hpp"
#include "tools/test/case.hpp"
#include "tools/test/coverage.hpp"
#include "tools/test/in_body.hpp"
#include "tools/test/irs.hpp"
#include "tools/test/oracle.hpp"
#include "tools/test/pbtxt.hpp"
#include "tools/test/world.hpp"

namespace mo::test {
namespace {

std::string text_of(const Error& error) {
  std::string text;
  for (const Diagnostic& d : error.items()) text += d.format() + "\n";
  return text;
}

/// Runs the passes of a file on a graph; collects complaints about the passes themselves.
class PassRun {
 public:
  PassRun(const TestFile& file, const Case& test) : settings_(settings_of(Options{})) {
    for (const Section& section : test.sections)
      if (section.kind == "settings") read_settings(section);
    for (const std::string& name : file.passes) {
      const Pass* pass = known_pass(name);
      if (!pass)
        complaints += fmt::format("there is no pass {}\n", name);
      else
        passes_.push_back(pass);
    }
  }

  bool needs_types() const {
    return std::all_of(passes_.begin(), passes_.end(), [](const Pass* p) {
      return p->phase == Phase::middle || p->phase == Phase::back || p->phase == Phase::finish;
    });
  }
  bool empty() const { return passes_.empty(); }
  /// Whether all of them are for bodies as well as for whole models.
  bool into_bodies() const {
    return std::all_of(passes_.begin(), passes_.end(), [](const Pass* p) { return p->into_bodies; });
  }

  /// Whether some pass changed the graph. With `coverage`, what each pass did is told.
  Expected<bool> run(Graph& graph, bool coverage = false) {
    PassContext context{diagnostics, settings_, nullptr};
    bool any = false;
    for (const Pass* pass : passes_) {
      const std::optional<Coverage> seen = coverage ? std::optional<Coverage>(graph) : std::nullopt;
      const std::size_t said = diagnostics.items.size();
      // Inference gives unknown dimensions new symbols each time: types are compared after other passes only.
      const bool with_types = pass->phase != Phase::inference;
      const std::string before = to_text(graph, {.types = with_types, .elide_constants = false});
      const auto result = run_pass(*pass, graph, context);
      if (!result && seen) seen->record_outcome(*pass, "error");
      MO_ASSIGN(const bool changed, result);
      const bool differs = before != to_text(graph, {.types = with_types, .elide_constants = false});
      if (seen && !differs && diagnostics.items.size() > said)
        seen->record_outcome(*pass, "told");
      else if (seen)
        seen->record(*pass, graph, changed && differs);
      if (differs && !changed) complaints += fmt::format("{} changed the graph and said that it did not\n", pass->name);
      if (auto sound = verify(graph); !sound)
        complaints += fmt::format("after {}: {}", pass->name, text_of(sound.error()));
      any = any || (changed && differs);
    }
    return any;
  }

  std::string complaints;
  DiagnosticList diagnostics;

 private:
  /// `settings {name=value}`, or `settings PASS {name=value}` for those of one pass.
  void read_settings(const Section& section) {
    const std::size_t open = std::min(section.argument.find('{'), section.argument.size());
    const std::string name = section.argument.substr(0, section.argument.find_last_not_of(' ', open - 1) + 1);
    const auto complain = [&](const std::string& what) {
      complaints += fmt::format("settings at line {}: {}\n", section.line, what);
    };
    const auto parsed = parse_attribute(section.argument.substr(open), known_ops());
    if (!parsed || !parsed->map()) return complain(parsed ? "want {name=value, …}" : text_of(parsed.error()));
    const Pass* pass = open == 0 ? nullptr : known_pass(name);
    if (open > 0 && (!pass || !pass->configure))
      return complain(fmt::format("there is no pass {} with settings", name));
    if (const auto set = pass ? pass->configure(settings_, *parsed->map()) : set_by_name(settings_, *parsed->map());
        !set)
      complain(text_of(set.error()));
  }

  Settings settings_;
  std::vector<const Pass*> passes_;
};

std::string indented(const std::string& text) {
  std::string out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out += "    " + line + "\n";
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos && line[line.find_first_not_of(" \t")] != '#')
      lines.push_back(line.substr(line.find_first_not_of(" \t")));
  return lines;
}

Expected<Tensor> literal(const std::string& text, ElementType fallback) {
  MO_ASSIGN(const AttributeValue value, parse_attribute(text, known_ops()));
  if (const auto* t = value.get_if<Tensor>()) return *t;
  if (const auto* v = value.get_if<double>()) return from_reals(fallback, {}, {*v});
  if (const auto* v = value.get_if<std::int64_t>()) return from_integers(fallback, {}, {*v});
  if (const auto* v = value.get_if<bool>()) return from_integers(ElementType::boolean, {}, {*v ? 1 : 0});
  if (const auto* v = value.get_if<std::vector<std::int64_t>>())
    return from_integers(fallback, {static_cast<std::int64_t>(v->size())}, *v);
  if (const auto* v = value.get_if<std::vector<double>>())
    return from_reals(fallback, {static_cast<std::int64_t>(v->size())}, *v);
  return error("MO-TEXT-0001", "\"{}\" is not a literal with a type", text);
}

std::string check_infer(const Graph& graph, const Section& section) {
  std::string bad;
  const auto lines = lines_of(section.body);
  const auto results = graph.results();
  if (lines.size() != results.size()) return fmt::format("{} types for {} results\n", lines.size(), results.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    TensorType type = results[i].input_type(0);
    if (type.shape.has_rank())
      for (Dimension& d : type.shape.dims()) d = Dimension(d.min(), d.max());  // symbols are numbered by chance
    std::string want = lines[i];
    want.erase(std::remove(want.begin(), want.end(), ' '), want.end());
    if (type.to_string() != want)
      bad += fmt::format("result {}: inferred {}, expected {}\n", i, type.to_string(), want);
  }
  return bad;
}

std::string value_text(const PortData& data) {
  if (data.value()) {
    const auto graph = std::make_unique<Graph>();
    graph->create_result(graph->create_constant(*data.value()).output());
    const std::string text = to_text(*graph, {.names = false, .elide_constants = false});
    const std::size_t from = text.find("return ") + 7;
    return text.substr(from, text.rfind('\n', text.size() - 2) - from);
  }
  if (const PartialValue* partial = data.partial_value()) {
    std::vector<std::string> items;
    for (const Dimension& d : partial->elements) items.push_back(Dimension(d.min(), d.max()).to_string());
    const std::string joined = fmt::format("{}", fmt::join(items, ", "));
    return partial->shape.empty() ? joined : fmt::format("[{}]", joined);
  }
  return "none";
}

std::string check_value(const Graph& graph, const Section& section) {
  std::string bad;
  const auto lines = lines_of(section.body);
  const auto results = graph.results();
  if (lines.size() != results.size()) return fmt::format("{} values for {} results\n", lines.size(), results.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const PortData data = results[i].input(0).data();
    std::string got = value_text(data);
    if (data.value() && lines[i] != "none" && lines[i].find('?') == std::string::npos) {
      const auto want = literal(lines[i], data.element_type());
      if (!want)
        bad += text_of(want.error());
      else if (const std::string d = difference(*data.value()->load(), *want, {.relative = 1e-6, .absolute = 0});
               !d.empty())
        bad += fmt::format("result {}: {}", i, d);
      continue;
    }
    std::string wanted = lines[i];
    if (const std::size_t colon = wanted.rfind(':');
        colon != std::string::npos && colon > wanted.rfind(']') && wanted.find('?') != std::string::npos)
      wanted = wanted.substr(0, colon);
    const auto squeezed = [](std::string s) {
      return s.erase(0, 0), s.erase(std::remove(s.begin(), s.end(), ' ') - s.begin()), s;
    };
    if (squeezed(got) != squeezed(wanted)) bad += fmt::format("result {}: value {}, expected {}\n", i, got, wanted);
  }
  return bad;
}

std::string check_evaluate(const Graph& graph, const std::vector<std::string>& parameter_names,
                           const Section& section) {
  std::map<std::string, std::string> given;
  std::vector<std::string> wanted;
  std::string last;
  for (const std::string& line : lines_of(section.body)) {
    if (line.starts_with("=>")) {
      wanted.push_back(line.substr(2));
      last.clear();
    } else if (line.starts_with("%") && line.find('=') != std::string::npos) {
      last = line.substr(1, line.find_first_of(" =") - 1);
      given[last] = line.substr(line.find('=') + 1);
    } else if (!last.empty()) {
      given[last] += " " + line;
    } else if (!wanted.empty()) {
      wanted.back() += " " + line;
    }
  }
  std::vector<Tensor> inputs;
  const auto parameters = graph.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::string name = i < parameter_names.size() ? parameter_names[i] : "?";
    if (!given.contains(name)) return fmt::format("no value for %{}\n", name);
    auto tensor = literal(given[name], parameters[i].as<Parameter>()->element_type);
    if (!tensor) return text_of(tensor.error());
    inputs.push_back(*std::move(tensor));
  }
  const auto results = execute(graph, inputs);
  if (!results) return text_of(results.error());
  if (results->size() != wanted.size())
    return fmt::format("{} expected values for {} results\n", wanted.size(), results->size());
  std::string bad;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto want = literal(wanted[i], (*results)[i].element_type());
    if (!want) return text_of(want.error());
    const Closeness& closeness = closeness::kTyped.of(want->element_type());
    if (const std::string d = difference((*results)[i], *want, closeness); !d.empty())
      bad += fmt::format("result {}: {}", i, d);
  }
  return bad;
}

/// Whether inputs are declared to have equal unknown lengths. That does not cross the border of a body.
bool shares_symbols(const Graph& graph) {
  std::set<Dimension::Symbol> seen;
  for (const Node& parameter : graph.parameters())
    if (const PartialShape& shape = parameter.as<Parameter>()->shape; shape.has_rank())
      for (const Dimension& d : shape.dims())
        if (d.symbol() != 0 && !seen.insert(d.symbol()).second) return true;
  return false;
}

/// What the passes do to a graph they do to it as the branch of an If, too.
std::string compare_in_body(const TestFile& file, const Case& test, const Graph& before,
                            const std::string& text_after) {
  PassRun passes(file, test);
  if (!passes.into_bodies() || before.results().empty() || shares_symbols(before)) return "";
  auto whole = as_branches(before);
  if (!whole) return "";  // an If cannot say how its outputs depend on its inputs: what infers alone may not infer here
  auto changed = passes.run(**whole, /*coverage=*/true);
  if (!changed && changed.error().first().code == "MO-BACK-0001") return "";  // IR version 10 has no If
  if (!changed) return "inside a body: " + text_of(changed.error());
  const Graph* branch = branch_of(**whole);
  if (branch == nullptr) return "";
  ++oracle().in_bodies;
  const std::string text = canonical(*branch);
  return text == text_after ? passes.complaints : "inside a body, the passes give\n" + indented(text);
}

/// "%x" names of the parameters in the order in which the text has them.
std::vector<std::string> parameter_names(const std::string& text) {
  std::vector<std::string> names;
  const std::string head = text.substr(0, text.find(") {") == std::string::npos ? text.find('{') : text.find(") {"));
  for (std::size_t at = head.find('%'); at != std::string::npos; at = head.find('%', at + 1))
    names.push_back(head.substr(at + 1, head.find_first_of(": ", at) - at - 1));
  return names;
}

/// `error CODE "text"`: whether `error` is what the section wants.
std::string check_error(const Error& error, const Section& section) {
  const std::string code = section.argument.substr(0, section.argument.find(' '));
  const std::size_t open = section.argument.find('"');
  const std::string part =
      open == std::string::npos ? "" : section.argument.substr(open + 1, section.argument.rfind('"') - open - 1);
  for (const Diagnostic& d : error.items())
    if (d.code == code && d.format().find(part) != std::string::npos) return "";
  return fmt::format("wanted {} \"{}\", got:\n{}", code, part, indented(text_of(error)));
}

}  // namespace

std::string check_types(const Graph& graph, const Section& section) { return check_infer(graph, section); }
std::string check_known_values(const Graph& graph, const Section& section) { return check_value(graph, section); }
std::string check_numbers(const Graph& graph, const std::vector<std::string>& parameters, const Section& section) {
  return check_evaluate(graph, parameters, section);
}
std::string check_diagnostics(const Error& error, const Section& section) { return check_error(error, section); }
std::string text_of_error(const Error& error) { return text_of(error); }
std::string canonical(const Graph& graph) { return to_text(graph, {.elide_constants = false}); }

Expected<bool> run_passes(const TestFile& file, const Case& test, Graph& graph) {
  PassRun passes(file, test);
  MO_ASSIGN(const bool changed, passes.run(graph));
  if (!passes.complaints.empty()) return error("MO-TEXT-0001", "{}", passes.complaints);
  return changed;
}

std::string run_case(const TestFile& file, const Case& test) {
  Coverage::begin_case(fmt::format("{}:{}", file.path, test.line));
  if (!test.sections.empty() && (test.sections.front().kind == "pbtxt" || test.sections.front().kind == "prototxt"))
    return run_pbtxt_case(file, test);
  PassRun passes(file, test);
  if (!passes.complaints.empty()) return passes.complaints;
  const auto wants_error =
      std::find_if(test.sections.begin(), test.sections.end(), [](const Section& s) { return s.kind == "error"; });
  const bool types_first = passes.needs_types();
  auto parsed = parse_graph(test.graph, known_ops(), {.infer = types_first && !passes.empty()});
  if (parsed && passes.empty())
    if (auto inferred = infer_graph(**parsed); !inferred) parsed = std::move(inferred).error();
  if (!parsed)
    return wants_error != test.sections.end() ? check_error(parsed.error(), *wants_error) : text_of(parsed.error());
  Graph& graph = **parsed;
  const std::unique_ptr<Graph> before = graph.clone();
  const std::string text_before = canonical(graph);
  const auto changed = passes.run(graph, /*coverage=*/true);
  if (!changed)
    return wants_error != test.sections.end() ? check_error(changed.error(), *wants_error) : text_of(changed.error());
  std::string bad = passes.complaints;
  if (!file.runtimes_refuse)
    keep_irs(graph, fmt::format("{}_{}", std::filesystem::path(file.path).stem().string(), test.line));

  const std::string text = canonical(graph);
  if (auto again = parse_graph(text, known_ops()); !again)
    bad += "the printed text cannot be read: " + text_of(again.error()) + indented(text);
  else if (canonical(**again) != text)
    bad += "print, parse, print differs:\n" + indented(text) + "  and\n" + indented(canonical(**again));
  if (!passes.empty()) {
    if (types_first && !file.numbers_change) bad += compare_numbers(*before, graph);
    PassRun second(file, test);
    const auto graph_again = graph.clone();
    if (const auto more = second.run(*graph_again); !more)
      bad += "a second run fails: " + text_of(more.error());
    else if (*more)
      bad += "a second run changes the graph again:\n" + indented(canonical(*graph_again));
    if (types_first) bad += compare_in_body(file, test, *before, text);
  }

  bool checked = false;
  std::unique_ptr<Graph> inferred;
  for (const Section& section : test.sections) {
    std::string wrong;
    checked = checked || section.kind != "settings";
    if (section.kind == "graph") {
      // Runtime attributes count where the author wrote some.
      const bool with_runtime_info = section.body.find(" rt {") != std::string::npos;
      const std::string text = to_text(graph, {.runtime_info = with_runtime_info, .elide_constants = false});
      auto want = parse_graph(section.body, known_ops(), {.infer = types_first && !passes.empty()});
      if (want && canonical(**want) != text && std::getenv("MO_GOLDEN_UPDATE") != nullptr)
        update_section(file.path, section, text);
      else if (!want)
        wrong = text_of(want.error());
      else if (canonical(**want) != text)
        wrong = "got\n" + indented(text) + "  want\n" + indented(canonical(**want));
    } else if (section.kind == "unchanged") {
      if (text != text_before) wrong = "the graph changed:\n" + indented(text);
    } else if (section.kind == "error") {
      // An error may also come from executing.
      const auto results = execute(graph, {});
      wrong = results || graph.parameters().size() > 0
                  ? fmt::format("wanted the error {}, but nothing failed\n", section.argument)
                  : check_error(results.error(), section);
    } else if (section.kind == "infer" || section.kind == "value" || section.kind == "evaluate") {
      if (!inferred) {
        inferred = graph.clone();
        if (auto result = infer_graph(*inferred); !result) return bad + text_of(result.error());
      }
      wrong = section.kind == "infer"   ? check_infer(*inferred, section)
              : section.kind == "value" ? check_value(*inferred, section)
                                        : check_evaluate(*inferred, parameter_names(test.graph), section);
    } else if (section.kind == "warning") {
      const bool found = std::any_of(
          passes.diagnostics.items.begin(), passes.diagnostics.items.end(),
          [&](const Diagnostic& d) { return d.code == section.argument.substr(0, section.argument.find(' ')); });
      if (!found) wrong = fmt::format("wanted the warning {}\n", section.argument);
    } else if (section.kind != "settings") {
      wrong = fmt::format("unknown section {}\n", section.kind);
    }
    if (!wrong.empty()) bad += fmt::format("  section at line {}: {}", section.line, wrong);
  }
  if (!checked) bad += "the case checks nothing\n";
  return bad;
}

}  // namespace mo::test
