#include "tools/test/world.hpp"

#include <map>
#include <memory>

#include "core/diagnostics/assert.hpp"
#include "driver/assembly.hpp"
#include "driver/pipeline.hpp"
#include "transformations/catalogue.hpp"

namespace mo::test {
namespace {

/// What conversions of each framework work with.
struct World {
  std::unique_ptr<Assembly> all;
  std::vector<std::unique_ptr<Assembly>> assemblies;
  std::vector<std::unique_ptr<PassManager>> pipelines;
  std::map<std::string, Pass> transformations;

  static Expected<World> create(const std::vector<std::string>& plugins) {
    Options options;
    if (!plugins.empty()) options.extensions = plugins;
    World made;
    MO_ASSIGN(made.all, assemble_for(options, ""));
    for (const char* framework : {"onnx", "tf", "caffe"}) {
      MO_ASSIGN(std::unique_ptr<Assembly> assembly, assemble_for(options, framework));
      MO_ASSIGN(std::unique_ptr<PassManager> pipeline, make_pipeline(assembly->registry, framework, options));
      made.assemblies.push_back(std::move(assembly));
      made.pipelines.push_back(std::move(pipeline));
    }
    return made;
  }
};

std::unique_ptr<World>& given() {
  static std::unique_ptr<World> world;
  return world;
}

World& world() {
  if (!given()) {
    const auto made = use_plugins({});
    MO_ASSERT(made.has_value(), "what is built in is not sound");
  }
  return *given();
}

}  // namespace

Expected<void> use_plugins(const std::vector<std::string>& paths) {
  MO_ASSIGN(World made, World::create(paths));
  given() = std::make_unique<World>(std::move(made));
  return {};
}

const OpRegistry& known_ops() { return world().all->registry.ops(); }

const Pass* known_pass(const std::string& name) {
  World& all = world();
  if (!name.starts_with("library:"))
    for (const auto& pipeline : all.pipelines)
      if (const Pass* const pass = pipeline->find(name)) return pass;
  const PassLibrary& library = transformations::catalogue();
  const Pass* const pass = library.find(name.starts_with("library:") ? name.substr(8) : name);
  return pass ? &all.transformations.try_emplace(pass->name, as_pass(library, *pass)).first->second : nullptr;
}

}  // namespace mo::test
