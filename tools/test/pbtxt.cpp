#include "tools/test/pbtxt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/inference/infer.hpp"
#include "core/pass/pass_manager.hpp"
#include "core/text/parser.hpp"
#include "core/text/printer.hpp"
#include "driver/builtins.hpp"
#include "driver/pipeline.hpp"
#include "frontends/caffe/reader.hpp"
#include "frontends/tensorflow/reader.hpp"
#include "tools/test/coverage.hpp"
#include "tools/test/irs.hpp"

namespace mo::test {
namespace {

struct Pipeline {
  Registry registry;
  std::unique_ptr<PassManager> manager;
  Settings settings;
};

Pipeline& pipeline(const std::string& framework) {
  static std::map<std::string, Pipeline> pipelines;
  Pipeline& made = pipelines[framework];
  if (!made.manager) {
    register_builtins(made.registry, framework);
    made.settings = settings_of(Options{});
    auto manager = make_pipeline(made.registry, framework, Options{});
    if (!manager) {
      fmt::print(stderr, "{}\n", manager.error().first().format());
      std::exit(1);
    }
    made.manager = *std::move(manager);
  }
  return made;
}

/// Reader, extraction, front passes, the check that nothing unknown is left, and partial inference, which translates
/// what is left.
Expected<std::unique_ptr<Graph>> inferred_graph_of(const std::string& framework, const std::string& text,
                                                   DiagnosticSink& sink) {
  MO_ASSIGN(std::unique_ptr<Graph> graph,
            framework == "caffe" ? caffe::read_net_text(text, sink) : tensorflow::read_graph_text(text, sink));
  const Pipeline& steps = pipeline(framework);
  std::optional<Coverage> seen;
  if (Coverage::wanted()) {
    steps.manager->before_pass = [&](const Pass&, const Graph& before) { seen.emplace(before); };
    steps.manager->after_pass = [&](const PassEvent& event) -> Expected<void> {
      seen->record(event.pass, event.graph, event.changed);
      return {};
    };
  }
  PassContext context{sink, steps.settings, nullptr};
  for (const Phase phase : {Phase::extraction, Phase::front}) MO_TRY(steps.manager->run(phase, *graph, context));
  for (const char* pass : {"ReportUnsupported", "PartialInference"})
    MO_TRY(run_pass(*steps.manager->find(pass), *graph, context));
  return graph;
}

/// The numbers of the whole conversion, for what only its later phases make executable.
std::string check_converted(const std::string& framework, const std::string& text, const Section& section) {
  DiagnosticList sink;
  auto graph = framework == "caffe" ? caffe::read_net_text(text, sink) : tensorflow::read_graph_text(text, sink);
  if (!graph) return text_of_error(graph.error());
  const Pipeline& steps = pipeline(framework);
  steps.manager->before_pass = {};
  steps.manager->after_pass = {};
  PassContext context{sink, steps.settings, nullptr};
  for (const Phase phase : kPhases)
    if (auto done = steps.manager->run(phase, **graph, context); !done) return text_of_error(done.error());
  std::vector<std::string> parameters;  // as the case calls them: an IR may call an input after its tensor, "x:0"
  for (const Node& parameter : (*graph)->parameters())
    parameters.emplace_back(parameter.name().substr(0, parameter.name().find(':')));
  return check_numbers(**graph, parameters, section);
}

}  // namespace

// Cases run in file order: lines before were rewritten already.
void update_section(const std::string& path, const Section& section, const std::string& body) {
  static std::map<std::string, std::ptrdiff_t> shifts;
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  in.close();
  const auto first = lines.begin() + section.line + shifts[path];
  const auto last = std::find_if(
      first, lines.end(), [](const std::string& line) { return line.starts_with("---") || line.starts_with("==="); });
  std::vector<std::string> made(lines.begin(), first);
  const std::size_t before = static_cast<std::size_t>(last - first);
  std::size_t count = 0;
  for (std::size_t at = 0; at < body.size(); ++count) {
    const std::size_t end = std::min(body.find('\n', at), body.size());
    made.push_back(body.substr(at, end - at));
    at = end + 1;
  }
  if (last != lines.end() && last->starts_with("===")) {
    made.emplace_back();
    ++count;
  }
  made.insert(made.end(), last, lines.end());
  shifts[path] += static_cast<std::ptrdiff_t>(count) - static_cast<std::ptrdiff_t>(before);
  std::ofstream out(path);
  for (const std::string& line : made) out << line << "\n";
}

namespace {

std::string check_front(const std::string& framework, const Graph& graph, const std::string& path,
                        const Section& section) {
  const std::string text = canonical(graph);
  auto want = parse_graph(section.body, pipeline(framework).registry.ops());
  if (want && canonical(**want) == text) return "";
  if (std::getenv("MO_GOLDEN_UPDATE") != nullptr) {
    update_section(path, section, text);
    return "";
  }
  if (!want) return fmt::format("{}got\n{}", text_of_error(want.error()), text);
  return fmt::format("got\n{}  want\n{}", text, canonical(**want));
}

}  // namespace

std::string run_pbtxt_case(const TestFile& file, const Case& test) {
  DiagnosticList diagnostics;
  const std::string framework = test.sections.front().kind == "prototxt" ? "caffe" : "tf";
  auto graph = inferred_graph_of(framework, test.sections.front().body, diagnostics);
  std::unique_ptr<Graph> inferred;
  std::optional<Error> failure;
  if (!graph) {
    failure = std::move(graph).error();
  } else {
    inferred = (*graph)->clone();
    if (auto done = infer_graph(*inferred); !done) failure = std::move(done).error();
  }
  const auto wants_error =
      std::find_if(test.sections.begin(), test.sections.end(), [](const Section& s) { return s.kind == "error"; });
  if (wants_error != test.sections.end())
    return failure
               ? check_diagnostics(*failure, *wants_error)
               : fmt::format("wanted the error {}, but nothing failed\n{}", wants_error->argument, canonical(**graph));
  if (failure) return text_of_error(*failure) + (graph ? canonical(**graph) : "");
  keep_irs(**graph, fmt::format("{}_{}_{}", framework, std::filesystem::path(file.path).stem().string(), test.line),
           framework);

  std::vector<std::string> parameters;
  for (const Node& parameter : (*graph)->parameters()) parameters.emplace_back(parameter.name());
  std::string bad;
  for (std::size_t i = 1; i < test.sections.size(); ++i) {
    const Section& section = test.sections[i];
    std::string wrong;
    if (section.kind == "front") {
      wrong = check_front(framework, **graph, file.path, section);
    } else if (section.kind == "infer") {
      wrong = check_types(*inferred, section);
    } else if (section.kind == "value") {
      wrong = check_known_values(*inferred, section);
    } else if (section.kind == "evaluate") {
      wrong = check_numbers(*inferred, parameters, section);
    } else if (section.kind == "converted") {
      wrong = check_converted(framework, test.sections.front().body, section);
    } else if (section.kind == "warning") {
      const bool found = std::any_of(diagnostics.items.begin(), diagnostics.items.end(), [&](const Diagnostic& d) {
        return d.code == section.argument.substr(0, section.argument.find(' '));
      });
      if (!found) wrong = fmt::format("wanted the warning {}\n", section.argument);
    } else {
      wrong = fmt::format("unknown section {}\n", section.kind);
    }
    if (!wrong.empty()) bad += fmt::format("  section at line {}: {}", section.line, wrong);
  }
  return test.sections.size() > 1 ? bad : "the case checks nothing\n";
}

}  // namespace mo::test
