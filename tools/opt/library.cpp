#include "tools/opt/library.hpp"

#include <set>

#include "core/inference/infer.hpp"
#include "driver/assembly.hpp"
#include "driver/pipeline.hpp"
#include "phases/middle/layout/layout_change.hpp"
#include "transformations/catalogue.hpp"

namespace mo::tools {
namespace {

constexpr std::string_view kLayoutChange = "LayoutChange";

/// The passes that a conversion runs before images are channels-first.
Expected<std::set<std::string, std::less<>>> passes_before_layout_change(Registry& registry, const Options& options,
                                                                         const std::string& framework) {
  MO_ASSIGN(const std::unique_ptr<PassManager> manager, make_pipeline(registry, framework, options));
  std::set<std::string, std::less<>> names;
  for (const Phase phase : kPhases) {
    MO_ASSIGN(const std::vector<const Pass*> passes, manager->order(phase));
    for (const Pass* const pass : passes) {
      names.insert(pass->name);
      if (pass->name == kLayoutChange) return names;
    }
  }
  return names;
}

}  // namespace

Expected<PassLibrary> library_for(const Options& options, const std::string& framework) {
  PassLibrary all;
  MO_ASSIGN(const std::unique_ptr<Assembly> assembly, assemble_for(options, framework));
  for (Pass& pass : assembly->registry.passes().take_offers()) all.add(std::move(pass));
  const std::deque<Pass> passes = assembly->registry.passes().passes();  // the pipeline takes them
  MO_ASSIGN(const auto before, passes_before_layout_change(assembly->registry, options, framework));
  for (const Pass& pass : passes)
    all.add(pass, before.contains(pass.name) ? PassLibrary::Images::any : PassLibrary::Images::channels_first);
  MO_TRY(all.check());
  return all;
}

void give_channels_first(LibraryRun& run, DiagnosticSink& sink) {
  run.make_channels_first = [&sink](Graph& graph) -> Expected<void> {
    const Settings settings;
    PassContext context{sink, settings};
    MO_TRY(run_pass(phases::layout_change(), graph, context));
    return infer_graph(graph);
  };
}

}  // namespace mo::tools
