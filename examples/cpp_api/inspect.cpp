// Says what is in a model, whether it converts, and how it would.
//   inspect_model MODEL [OPTION…]
#include <cstdio>

#include "api/inspect.hpp"

int main(int argc, char** argv) {
  const auto found = mo::inspect({argv + 1, argv + argc});
  if (!found) {
    std::fprintf(stderr, "%s\n", found.error().first().format().c_str());
    return 1;
  }
  if (found->model) {
    std::printf("%s model, %zu nodes, %lld parameters\n", found->model->framework.c_str(), found->model->nodes,
                static_cast<long long>(found->model->parameters));
    for (const mo::EndFacts& input : found->model->inputs)
      std::printf("input %s: %s\n", input.name.c_str(), input.type.to_string().c_str());
  }
  for (const mo::Refusal& refusal : found->refusals)
    std::printf("%s: %s\n", refusal.code.c_str(), refusal.message.c_str());
  if (found->proposal) std::printf("%s\n", found->proposal->command.c_str());
  return found->converts ? 0 : 5;
}
