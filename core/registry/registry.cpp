#include "core/registry/registry.hpp"

namespace mo {

std::vector<Diagnostic> Registry::problems() const {
  std::vector<Diagnostic> all = ops_.problems();
  for (const auto& [name, table] : extractors_) all.insert(all.end(), table.problems().begin(), table.problems().end());
  return all;
}

void register_builtin_ops(OpRegistry& registry) {
  registry.add<Parameter>();
  registry.add<Result>();
  registry.add<Const>();
}

}  // namespace mo
