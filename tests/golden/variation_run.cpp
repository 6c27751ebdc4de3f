#include "tests/golden/variation_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <vector>

#include "core/inference/infer.hpp"
#include "core/text/parser.hpp"
#include "tests/golden/variation.hpp"
#include "tools/test/case.hpp"
#include "tools/test/oracle.hpp"
#include "tools/test/world.hpp"

namespace mo::test {
namespace {

namespace fs = std::filesystem;

/// The folders whose passes have patterns that examples of models meet; forms that releases compute wrongly are as they
/// are.
constexpr const char* kFolders[] = {"phases/pipelines", "transformations"};
constexpr std::string_view kFaults = "runtime_faults";

struct Tally {
  /// by file, variation and what became of it: titles of cases
  std::map<std::string, std::vector<std::string>> found;
  int tried = 0;
};

/// "misses" when the passes leave the varied case alone or refuse it, "differs" when they make it compute something
/// else; empty when all is well.
std::string_view outcome_of(const TestFile& file, const Case& test, const Graph& varied) {
  const std::unique_ptr<Graph> after = varied.clone();
  const auto changed = run_passes(file, test, *after);
  if (!changed || !*changed) return "misses";
  const std::string bad = file.numbers_change ? "" : compare_numbers(varied, *after);
  if (bad.empty()) return "";
  fmt::print("{}:{}: {}: {}\n", file.path, test.line, test.title, bad);
  return "differs";
}

void try_variation(const TestFile& file, const Case& test, const std::string& name, const Graph& before,
                   const Variation& variation, Tally& tally) {
  const std::unique_ptr<Graph> varied = before.clone();
  if (!variation.apply(*varied) || !infer_graph(*varied)) return;
  ++tally.tried;
  if (const std::string_view outcome = outcome_of(file, test, *varied); !outcome.empty())
    tally.found[fmt::format("{} {} {}", name, variation.name, outcome)].push_back(test.title);
}

void try_file(const std::string& path, const std::string& name, Tally& tally) {
  const TestFile file = read_test_file(path);
  for (const Case& test : file.cases) {
    const bool makes_graph = std::any_of(test.sections.begin(), test.sections.end(),
                                         [](const Section& section) { return section.kind == "graph"; });
    auto graph = makes_graph ? parse_graph(test.graph, known_ops(), {.infer = true})
                             : Expected<std::unique_ptr<Graph>>(std::unique_ptr<Graph>());
    if (!graph || !*graph) continue;
    const std::unique_ptr<Graph> plain = (*graph)->clone();
    // marks of nodes are not a visible change
    if (const auto changed = run_passes(file, test, *plain); !changed || !*changed) continue;
    for (const Variation& variation : variations()) try_variation(file, test, name, **graph, variation, tally);
  }
}

std::map<std::string, std::size_t> read_list(const std::string& path) {
  std::map<std::string, std::size_t> known;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (const std::size_t colon = line.rfind(": "); !line.starts_with('#') && colon != std::string::npos)
      known[line.substr(0, colon)] = std::stoul(line.substr(colon + 2));
  return known;
}

/// The comments before the list stay.
void write_list(const std::string& path, const Tally& tally) {
  std::string text;
  {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line) && line.starts_with('#');) text += line + "\n";
  }
  for (const auto& [what, titles] : tally.found) text += fmt::format("{}: {}\n", what, titles.size());
  std::ofstream(path) << text;
}

/// Whether the list says how many cases are missed or differ.
bool is_as_listed(const std::string& list, const Tally& tally) {
  std::map<std::string, std::size_t> known = read_list(list);
  bool same = true;
  for (const auto& [what, titles] : tally.found) {
    const auto at = known.find(what);
    const std::size_t allowed = at == known.end() ? 0 : at->second;
    if (at != known.end()) known.erase(at);
    if (titles.size() == allowed) continue;
    same = false;
    fmt::print("{}: {} cases, the list has {}:\n", what, titles.size(), allowed);
    for (const std::string& title : titles) fmt::print("    {}\n", title);
  }
  for (const auto& [what, count] : known) fmt::print("{}: no case any more, the list has {}\n", what, count);
  return same && known.empty();
}

}  // namespace

int run_variations(const std::string& tests, const std::string& list, bool update) {
  Tally tally;
  std::vector<std::string> paths;
  for (const char* const folder : kFolders)
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(tests) / folder))
      if (entry.path().extension() == ".test" && entry.path().parent_path().filename() != kFaults)
        paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) try_file(path, fs::relative(path, tests).replace_extension().string(), tally);
  std::size_t found = 0;
  for (const auto& [what, titles] : tally.found) found += titles.size();
  if (update) write_list(list, tally);
  const bool same = is_as_listed(list, tally);
  fmt::print("{} variations, {} of them missed or different\n", tally.tried, found);
  return same && tally.tried > 0 ? 0 : 1;
}

}  // namespace mo::test
