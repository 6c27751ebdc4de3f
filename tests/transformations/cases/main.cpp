#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/text/printer.hpp"
#include "tests/transformations/cases/cases.hpp"
#include "transformations/catalogue.hpp"

namespace mo::test {
namespace {

/// Cases whose result has another form than the original's, each with the reason: "NAME: reason", a line each.
std::map<std::string, std::string> read_list(const std::string& path) {
  std::map<std::string, std::string> rows;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.empty() && line.front() != '#' && colon != std::string::npos)
      rows[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return rows;
}

constexpr const char* kKinds[] = {"equal", "other form", "wrong", "refused", "missing"};

/// `test_transformations [FOLDER] LIST [-v] [FILTER]`: runs all cases below a folder. Exit code 1: a case that is not
/// equal and not in the list, or one in the list that is equal.
int run_all(const std::string& root, const std::string& list, const std::string& filter, bool verbose) {
  const PassLibrary& library = transformations::catalogue();
  const std::map<std::string, std::string> explained = read_list(list);
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(root))
    if (entry.is_directory() && entry.path().filename().string().find(filter) != std::string::npos)
      folders.push_back(entry.path().string());
  std::sort(folders.begin(), folders.end());
  std::map<std::string, int> counts;
  int bad = 0;
  for (const std::string& folder : folders) {
    const TransformationCase test = read_case(folder, library);
    const Outcome outcome = run_case(test, library);
    const char* const kind = kKinds[static_cast<int>(outcome.kind)];
    ++counts[kind];
    const bool listed = explained.contains(test.name);
    const bool fine = (outcome.kind == Outcome::Kind::equal) != listed;
    bad += fine ? 0 : 1;
    if (!fine || verbose)
      fmt::print("{}{}: {}\n{}",
                 fine     ? ""
                 : listed ? "LISTED BUT "
                          : "",
                 test.name, kind, verbose ? outcome.text + "\n" : "");
  }
  for (const auto& [kind, count] : counts) fmt::print("{}: {}\n", kind, count);
  fmt::print("{} cases, {} not as expected\n", folders.size(), bad);
  return bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace mo::test

/// Without a folder: the cases of MO_SHARED (default: ../shared beside the sources); skipped where they are not.
int main(int argc, char** argv) {
  bool verbose = false;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]) == "-v")
      verbose = true;
    else
      words.emplace_back(argv[i]);
  const char* const shared = std::getenv("MO_SHARED");
  const std::string cases =
      (shared != nullptr ? std::string(shared) : std::string(MO_SOURCE_DIR) + "/../shared") + "/cases/transformations";
  if (words.empty() || !std::filesystem::is_directory(words[0])) words.insert(words.begin(), cases);
  if (words.size() < 2) {
    fmt::print(stderr, "usage: {} [FOLDER] LIST [-v] [FILTER]\n", argv[0]);
    return 2;
  }
  if (!std::filesystem::is_directory(words[0])) {
    fmt::print("skipped: {} is not there (set MO_SHARED)\n", words[0]);
    return 77;
  }
  return mo::test::run_all(words[0], words[1], words.size() > 2 ? words[2] : "", verbose);
}
