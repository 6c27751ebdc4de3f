#include <fmt/format.h>
#include <re2/re2.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <system_error>
#include <thread>

#include "core/diagnostics/exit_code.hpp"
#include "ops/register_all.hpp"
#include "tools/common/accelerated.hpp"
#include "tools/common/console.hpp"
#include "tools/conformance/expectations.hpp"
#include "tools/conformance/isolation.hpp"
#include "tools/conformance/test_case.hpp"

namespace mo::conformance {
namespace {

struct CommandLine {
  std::string tests;
  std::string filter;
  int ir_version = 11;
  std::string json;
  std::string expected;
  std::string write_expected;
  std::string keep;
  bool accelerated = false;
  bool in_process = false;
  bool verbose = false;
  Limits limits;
};

struct Run {
  std::vector<std::string> names;
  std::vector<Outcome> outcomes;

  std::size_t count(Category category) const {
    return static_cast<std::size_t>(
        std::count_if(outcomes.begin(), outcomes.end(), [&](const Outcome& o) { return o.category == category; }));
  }
};

Expected<void> write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file) return {};
  return error("MO-RUN-0024", "cannot write \"{}\"", path).hint("check the folder, its permissions and the free space");
}

std::string to_json(const Run& run, const CommandLine& how) {
  using Json = nlohmann::ordered_json;
  Json tests = Json::array();
  for (std::size_t i = 0; i < run.names.size(); ++i) {
    const Outcome& o = run.outcomes[i];
    tests.push_back(Json{{"name", run.names[i]},
                         {"category", std::string(to_string(o.category))},
                         {"crashed", o.crashed},
                         {"code", o.code},
                         {"detail", o.detail},
                         {"seconds", o.seconds},
                         {"convert_seconds", o.convert_seconds}});
  }
  Json all{{"ir_version", how.ir_version}};
  for (const Category c : {Category::passed, Category::wrong, Category::failed, Category::refused})
    all[std::string(to_string(c))] = run.count(c);
  all["tests"] = std::move(tests);
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void print(const Run& run, bool verbose) {
  std::map<std::string, std::size_t> codes;
  std::size_t crashed = 0;
  for (std::size_t i = 0; i < run.names.size(); ++i) {
    const Outcome& o = run.outcomes[i];
    if (o.category == Category::refused) ++codes[o.code];
    if (o.crashed) ++crashed;
    const bool loud = o.category == Category::wrong || o.category == Category::failed;
    if (!loud && !verbose) continue;
    const std::string first_line = o.detail.substr(0, o.detail.find('\n'));
    fmt::print("{:<8} {}  {}\n", to_string(o.category), run.names[i], loud ? o.detail : first_line);
  }
  for (const auto& [code, count] : codes) fmt::print("refused with {}: {}\n", code, count);
  fmt::print("of the failed ones, {} crashed or were too slow\n", crashed);
}

/// Of the tests whose model was converted.
void print_times(const Run& run) {
  std::vector<double> times;
  for (const Outcome& o : run.outcomes)
    if (o.category != Category::refused && o.convert_seconds > 0) times.push_back(o.convert_seconds * 1e3);
  if (times.empty()) return;
  std::sort(times.begin(), times.end());
  fmt::print("conversion of {} models: {:.0f} ms in all, median {:.2f} ms, slowest {:.1f} ms\n", times.size(),
             std::accumulate(times.begin(), times.end(), 0.0), times[times.size() / 2], times.back());
}

Expected<Run> run(const CommandLine& how) {
  MO_ASSIGN(std::vector<TestCase> tests, find_tests(how.tests));
  RE2::Options quiet;
  quiet.set_log_errors(false);
  const RE2 filter(how.filter, quiet);
  if (!filter.ok())
    return error("MO-RUN-0025", "--filter \"{}\" is not a regular expression: {}", how.filter, filter.error())
        .hint("the syntax is that of RE2, for example --filter 'test_(conv|pool)'");
  std::erase_if(tests, [&](const TestCase& test) { return !RE2::PartialMatch(test.name, filter); });
  if (tests.empty())
    return error("MO-RUN-0025", "--filter \"{}\" fits no test", how.filter).hint("names look like node/test_abs");

  OpRegistry registry;
  ops::register_all(registry);
  TestOptions options;
  options.ir_version = how.ir_version;
  options.keep = how.keep;
  options.registry = &registry;
  options.kernels = how.accelerated ? tools::accelerated_kernels() : nullptr;
  Run result;
  for (const TestCase& test : tests) result.names.push_back(test.name);
  const Task task = [&](std::size_t i, const std::string& folder) { return run_test(tests[i], folder, options); };
  MO_ASSIGN(result.outcomes,
            how.in_process ? run_in_process(tests.size(), task) : run_isolated(tests.size(), task, how.limits));
  return result;
}

/// Exit code of the whole program.
Expected<ExitCode> run_and_report(const CommandLine& how) {
  Expectations expected;
  if (!how.expected.empty()) { MO_ASSIGN(expected, read_expectations(how.expected)); }
  if (!how.keep.empty()) {
    std::error_code problem;
    std::filesystem::create_directories(how.keep, problem);
    if (problem)
      return error("MO-RUN-0024", "cannot make the folder \"{}\": {}", how.keep, problem.message())
          .hint("check the folder, its permissions and the free space");
  }
  MO_ASSIGN(const Run result, run(how));
  print(result, how.verbose);
  print_times(result);
  if (!how.json.empty()) MO_TRY(write_file(how.json, to_json(result, how)));
  if (!how.write_expected.empty())
    MO_TRY(write_file(how.write_expected, print_expectations(result.names, result.outcomes)));
  bool good = result.count(Category::wrong) == 0 && result.count(Category::failed) == 0;
  if (!how.expected.empty()) {
    const std::vector<std::string> found = surprises(expected, result.names, result.outcomes, how.filter.empty());
    for (const std::string& text : found) fmt::print("unexpected: {}\n", text);
    good = found.empty();
  }
  fmt::print("{} passed, {} wrong, {} failed, {} refused\n", result.count(Category::passed),
             result.count(Category::wrong), result.count(Category::failed), result.count(Category::refused));
  return good ? ExitCode::ok : ExitCode::conversion_failed;
}

ExitCode run_program(int argc, char** argv) {
  CommandLine how;
  how.limits.jobs = std::max(1U, std::thread::hardware_concurrency());
  std::uint64_t memory_mb = how.limits.memory_bytes >> 20;
  CLI::App app{
      "Converts each model of ONNX's test data, runs the IR on the test's inputs and compares with its outputs.\n"
      "Exit code 0: with --expected, everything came out as listed; without, nothing is wrong or failed."};
  app.name("mo_conformance");
  app.add_option("--tests", how.tests, "folder with test folders, such as /usr/share/libonnx-testdata/data/node")
      ->required()
      ->type_name("DIR");
  app.add_option("--filter", how.filter, "only tests whose name (node/test_abs) contains a match")->type_name("REGEX");
  app.add_option("--ir_version,--ir-version", how.ir_version, "10 or 11")->check(CLI::IsMember({10, 11}));
  app.add_option("--json", how.json, "write all outcomes to this file")->type_name("FILE");
  app.add_option("--expected", how.expected, "list of tests that are to be refused, with codes; all others are to pass")
      ->type_name("FILE");
  app.add_option("--write_expected,--write-expected", how.write_expected, "write such a list from this run")
      ->type_name("FILE");
  app.add_option("--keep", how.keep, "keep the IR of each test in this folder, as <test name>/model.xml and .bin")
      ->type_name("DIR");
  app.add_option("--time_limit,--time-limit", how.limits.seconds, "seconds for one test")
      ->check(CLI::Range(0.1, 3600.0));
  app.add_option("--memory_limit,--memory-limit", memory_mb, "megabytes of address space for one test; 0: no limit")
      ->check(CLI::Range(0, 1 << 20));
  app.add_option("--jobs,-j", how.limits.jobs, "tests at the same time")->check(CLI::Range(1, 256));
  app.add_flag("--accelerated", how.accelerated, "run with the accelerated kernels instead of the portable ones");
  app.add_flag("--in_process,--in-process", how.in_process,
               "all tests in this process, one after the other: to measure; a crash ends the run");
  app.add_flag("--verbose,-v", how.verbose, "one line for each test");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) { return app.exit(problem) == 0 ? ExitCode::ok : ExitCode::usage; }
  how.limits.memory_bytes = memory_mb << 20;
  const auto code = run_and_report(how);
  if (code) return *code;
  tools::print(code.error());
  return exit_code_of(code.error());
}

}  // namespace
}  // namespace mo::conformance

int main(int argc, char** argv) { return static_cast<int>(mo::conformance::run_program(argc, argv)); }
