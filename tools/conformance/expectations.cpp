#include "tools/conformance/expectations.hpp"

#include <fmt/format.h>

#include <set>
#include <span>
#include <sstream>

#include "core/files/file.hpp"

namespace mo::conformance {
namespace {

/// A list of some thousand names is small; a larger file is not one.
constexpr std::uint64_t kMaxListBytes = 16 * 1024 * 1024;

std::string folder_of(const std::string& name) { return name.substr(0, name.find('/')); }

}  // namespace

Expected<Expectations> parse_expectations(const std::string& text, const std::string& path) {
  Expectations expected;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string name;
    std::string code;
    std::string more;
    if (!(words >> name) || name.front() == '#') continue;
    if (!(words >> code) || words >> more)
      return error("MO-RUN-0023", "line {} is not `<test name> <code>`: {}", number, line)
          .hint("make the list with --write_expected")
          .in_file(path);
    if (!expected.emplace(name, code).second)
      return error("MO-RUN-0023", "line {} lists {} a second time", number, name)
          .hint("remove one of the lines")
          .in_file(path);
  }
  return expected;
}

Expected<Expectations> read_expectations(const std::string& path) {
  MO_ASSIGN(const FilePtr file, File::open(path));
  if (file->size() > kMaxListBytes)
    return error("MO-RUN-0023", "the file is too large for a list of tests")
        .hint("give the list of --expected")
        .in_file(path);
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  MO_TRY(file->read(0, std::as_writable_bytes(std::span(text))));
  return parse_expectations(text, path);
}

std::string print_expectations(const std::vector<std::string>& names, const std::vector<Outcome>& outcomes) {
  std::string text =
      "# Tests that mo refuses to convert, and the code it says. Made with mo_conformance --write_expected.\n";
  for (std::size_t i = 0; i < names.size(); ++i)
    if (outcomes[i].category == Category::refused) text += fmt::format("{} {}\n", names[i], outcomes[i].code);
  return text;
}

std::vector<std::string> surprises(const Expectations& expected, const std::vector<std::string>& names,
                                   const std::vector<Outcome>& outcomes, bool complete) {
  std::vector<std::string> found;
  std::set<std::string> run;
  std::set<std::string> folders;
  for (std::size_t i = 0; i < names.size(); ++i) {
    run.insert(names[i]);
    folders.insert(folder_of(names[i]));
    const Outcome& outcome = outcomes[i];
    const auto it = expected.find(names[i]);
    if (it == expected.end()) {
      if (outcome.category != Category::passed)
        found.push_back(fmt::format("{} was to pass, it {} {}", names[i],
                                    outcome.category == Category::wrong ? "came out" : "was",
                                    outcome.category == Category::refused ? "refused with " + outcome.code
                                                                          : std::string(to_string(outcome.category))));
    } else if (it->second == kOtherNumbers) {
      if (outcome.category != Category::wrong)
        found.push_back(
            fmt::format("{} was to give other numbers, its outcome is: {}", names[i], to_string(outcome.category)));
    } else if (outcome.category != Category::refused) {
      found.push_back(fmt::format("{} was to be refused with {}, its outcome is: {}", names[i], it->second,
                                  to_string(outcome.category)));
    } else if (outcome.code != it->second) {
      found.push_back(fmt::format("{} was to be refused with {}, the code is {}", names[i], it->second, outcome.code));
    }
  }
  if (complete)
    for (const auto& [name, code] : expected)
      if (!run.contains(name) && folders.contains(folder_of(name)))
        found.push_back(fmt::format("{} is listed but there is no such test", name));
  return found;
}

}  // namespace mo::conformance
