// Reads file names of IRs from the standard input, a line each, and prints for each "ok", or the first error of reading
// or inferring it.
#include <cstdio>
#include <iostream>
#include <string>

#include "core/inference/infer.hpp"
#include "frontends/ir/reader.hpp"
#include "tests/support/builtins.hpp"

int main() {
  for (std::string path; std::getline(std::cin, path);) {
    mo::DiagnosticList sink;
    auto graph = mo::ir::read_ir(path, "", mo::test::builtins().ops(), sink);
    const auto inferred = graph ? mo::infer_graph(**graph) : mo::Expected<void>(std::move(graph).error());
    const mo::Diagnostic* const problem = inferred ? nullptr : &inferred.error().first();
    std::printf("%s\n", problem == nullptr ? "ok" : (problem->code + ": " + problem->message).c_str());
    std::fflush(stdout);
  }
  return 0;
}
