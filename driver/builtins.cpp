#include "driver/builtins.hpp"

#include "driver/outlines/outlines.hpp"
#include "ops/register_all.hpp"
#include "transformations/catalogue.hpp"

namespace mo {

// Defined by the generated manifests of the drop-in folders.
namespace object_detection {
void register_all(PassRegistry& registry);
}  // namespace object_detection

void register_builtins(Registry& registry, std::string_view framework, BuiltinPasses passes, std::string_view release) {
  const bool outlined = passes == BuiltinPasses::outlined && !is_selective_build();
  registry.promise_ops([](OpRegistry& ops) {
    register_builtin_ops(ops);
    ops::register_all(ops);
  });
  if (passes == BuiltinPasses::none) return;
  for (const LinkedFrontend& linked : linked_frontends()) {
    if (!framework.empty() && framework != linked.name) continue;
    linked.frontend(registry, outlined ? operator_outline(linked.name) : std::string_view());
    linked.passes(registry.passes());
  }
  if (outlined)
    register_outlined(registry.passes(), release);
  else
    transformations::register_all(registry.passes(), passes == BuiltinPasses::all);
  object_detection::register_all(registry.passes());
}

}  // namespace mo
