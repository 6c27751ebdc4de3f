// Writes man page and shell completions from the option table; run by the build.
//   mo_documents man|bash|zsh|fish > FILE
//   mo_documents man-of PROGRAM PURPOSE < HELP > FILE       the page of a program whose help text is HELP

#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "packaging/documents/completions.hpp"
#include "packaging/documents/man_page.hpp"

int main(int argc, char** argv) {
  using namespace mo::documents;
  const std::string what = argc > 1 ? argv[1] : "";
  const std::vector<mo::tools::Subcommand> subcommands = mo::tools::subcommands();
  std::string text;
  if (what == "man")
    text = man_page(subcommands);
  else if (what == "bash")
    text = bash_completion(subcommands);
  else if (what == "zsh")
    text = zsh_completion(subcommands);
  else if (what == "fish")
    text = fish_completion(subcommands);
  else if (what == "man-of" && argc == 4)
    text = man_page_of(argv[2], argv[3], std::string(std::istreambuf_iterator<char>(std::cin), {}));
  if (text.empty()) {
    std::fputs("usage: mo_documents man|bash|zsh|fish\n       mo_documents man-of PROGRAM PURPOSE < HELP\n", stderr);
    return 2;
  }
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0 ? 0 : 1;
}
