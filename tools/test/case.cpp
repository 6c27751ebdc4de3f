#include "tools/test/case.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace mo::test {
namespace {

std::string trimmed(std::string text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  std::size_t start = 0;
  while (start < text.size() && blank(text[start])) ++start;
  return text.substr(start);
}

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    if (const std::string word = trimmed(text.substr(at, comma - at)); !word.empty()) found.push_back(word);
    at = comma + 1;
  }
  return found;
}

Section section_of(const std::string& rest, int line) {
  Section section;
  section.line = line;
  const std::size_t space = rest.find(' ');
  section.kind = rest.substr(0, space);
  section.argument = space == std::string::npos ? "" : trimmed(rest.substr(space));
  if (section.kind.empty()) section.kind = "graph";
  return section;
}

}  // namespace

TestFile read_test_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) {
    std::fprintf(stderr, "cannot read %s\n", path.c_str());
    std::exit(1);
  }
  TestFile file;
  file.path = path;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.starts_with("===")) {
      file.cases.push_back({trimmed(line.substr(3)), "", {}, number});
    } else if (file.cases.empty()) {
      if (line.starts_with("# passes:")) file.passes = words(line.substr(9));
      if (line.starts_with("# numbers: change,")) file.numbers_change = true;
      if (line.starts_with("# runtimes: refuse,")) file.runtimes_refuse = true;
    } else if (line.starts_with("---")) {
      file.cases.back().sections.push_back(section_of(trimmed(line.substr(3)), number));
    } else if (auto& sections = file.cases.back().sections; sections.empty()) {
      file.cases.back().graph += line + "\n";
    } else {
      sections.back().body += line + "\n";
    }
  }
  return file;
}

}  // namespace mo::test
