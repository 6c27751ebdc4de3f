#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "core/diagnostics/exit_code.hpp"
#include "tools/common/console.hpp"
#include "tools/common/subcommand.hpp"
#include "tools/common/subcommand_line.hpp"
#include "tools/test/case.hpp"
#include "tools/test/world.hpp"

namespace mo::tools {
namespace {

struct TestOptions : SubcommandOptions {
  std::vector<std::string> files;
  std::vector<std::string> plugins;
  std::string filter;
  bool verbose = false;
};

using TestRow = OptionOf<TestOptions>;

constexpr SubcommandText kTestText = {
    "MO-TEST-0001", "FILE…",
    "Runs cases of passes: files of the form that docs/text_form.md describes.\n"
    "A file names passes (`# passes: A, B`); each case has a graph and what must come out of it."};

constexpr std::array kTestRows = {
    TestRow{{.name = "files",
             .takes = Takes::list,
             .metavar = "FILE.test",
             .is_path = true,
             .is_operand = true,
             .help = "files, or folders of files that end in .test"},
            add_value<&TestOptions::files>},
    TestRow{{.name = "extensions",
             .takes = Takes::list,
             .metavar = "FILE.so,…",
             .is_path = true,
             .help = "plugins or folders of plugins whose ops and passes the cases name"},
            add_words<&TestOptions::plugins>},
    TestRow{
        {.name = "filter", .takes = Takes::value, .metavar = "TEXT", .help = "only cases whose title contains this"},
        set_text<&TestOptions::filter>},
    TestRow{{.name = "verbose", .letters = "v", .help = "name cases that passed, too"},
            set_flag<&TestOptions::verbose>},
};

Expected<TestOptions> parse_test_options(const Invocation& invocation) {
  TestOptions options;
  MO_TRY(parse_subcommand_line(kTestText, kTestRows, invocation, options, {}, Unknown::refused));
  if (!options.help && options.files.empty())
    return error("MO-TEST-0001", "{}: no file is given", invocation.name)
        .hint("give one: {} my_pass.test", invocation.name);
  return options;
}

/// Folders become the files inside, in order.
std::vector<std::string> test_files(const std::vector<std::string>& given) {
  std::vector<std::string> files;
  for (const std::string& path : given) {
    if (!std::filesystem::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const std::size_t first = files.size();
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
      if (entry.path().extension() == ".test") files.push_back(entry.path().string());
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(first), files.end());
  }
  return files;
}

Expected<int> run_cases(const TestOptions& options) {
  MO_TRY(test::use_plugins(options.plugins));
  int passed = 0;
  int failed = 0;
  for (const std::string& path : test_files(options.files)) {
    const test::TestFile file = test::read_test_file(path);
    for (const test::Case& one : file.cases) {
      if (one.title.find(options.filter) == std::string::npos) continue;
      const std::string bad = test::run_case(file, one);
      ++(bad.empty() ? passed : failed);
      if (!bad.empty()) fmt::print("FAILED {}:{} {}\n{}", path, one.line, one.title, bad);
      if (bad.empty() && options.verbose) fmt::print("ok     {}:{} {}\n", path, one.line, one.title);
    }
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  if (passed + failed == 0)
    return error("MO-TEST-0002", "there is no case to run").hint("check the files and --filter");
  return failed;
}

ExitCode run_test(const Invocation& invocation) {
  const auto fail = [](const Error& error) {
    print(error);
    return exit_code_of(error);
  };
  const auto options = parse_test_options(invocation);
  if (!options) return fail(options.error());
  if (options->help) {
    fmt::print("{}", options->help_text);
    return ExitCode::ok;
  }
  const auto failed = run_cases(*options);
  if (!failed) return fail(failed.error());
  return *failed == 0 ? ExitCode::ok : ExitCode::verification_failed;
}

}  // namespace

Subcommand subcommand_test() {
  return {.name = "test",
          .links = {"mo_test"},
          .summary = "run cases of passes in text form",
          .run = [](const Invocation& invocation) { return static_cast<int>(run_test(invocation)); }};
}

}  // namespace mo::tools
