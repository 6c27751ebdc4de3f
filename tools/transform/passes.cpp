#include "tools/transform/passes.hpp"

#include <algorithm>

#include "core/pass/library.hpp"
#include "graph_transforms/engine/extension.hpp"
#include "transformations/catalogue.hpp"

namespace mo::tools {
namespace {

using graph_transforms::TransformCall;

Diagnostic works_on_operations(const std::string& name) {
  return error("MO-GTT-0063", "{} works on operations of the IR, and this graph has those of its framework", name)
      .hint("convert the model, and run the pass on the IR: mo opt --passes {}", name);
}

bool is_of_library(const std::string& name) {
  PassLibrary library;
  transformations::add_catalogue(library);
  return library.find(name) != nullptr;
}

}  // namespace

Expected<void> add_passes(const std::vector<TransformCall>& calls, std::string_view framework,
                          std::unique_ptr<Assembly>& assembly, graph_transforms::TransformRegistry& registry) {
  for (const TransformCall& call : calls) {
    if (registry.find(call.name)) continue;
    if (!assembly) {
      Options options;
      options.framework = framework;
      MO_ASSIGN(assembly, assemble_for(options, framework));
    }
    const auto& passes = assembly->registry.passes().passes();
    const auto pass =
        std::find_if(passes.begin(), passes.end(), [&](const Pass& candidate) { return candidate.name == call.name; });
    if (pass == passes.end()) {
      if (is_of_library(call.name)) return works_on_operations(call.name);
      continue;  // the pipeline says that there is no such transform
    }
    if (pass->phase > Phase::front) return works_on_operations(call.name);
    registry.register_transform(pass->name, graph_transforms::Scope::any, graph_transforms::transform_of(*pass));
  }
  return {};
}

}  // namespace mo::tools
