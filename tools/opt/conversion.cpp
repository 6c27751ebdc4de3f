#include "tools/opt/conversion.hpp"

#include <algorithm>

namespace mo::tools {
namespace {

/// Passes of a conversion that follow one another, until something else comes.
class Batch {
 public:
  Batch(ModelGraph& model, DiagnosticSink& sink) : model_(model), sink_(sink) {}

  void add(const Pass* pass) { passes_.push_back(pass); }
  Expected<void> run() { return run(std::exchange(passes_, {}), model_.settings); }
  /// Alone, with settings of its own.
  Expected<void> run(const Pass& pass, const AttributeMap& given) {
    MO_TRY(run());
    if (!pass.configure)
      return error("MO-PASS-0022", "{} has no settings, but {} was given", pass.name, given.begin()->name)
          .hint("leave it out");
    Settings settings = model_.settings;
    MO_TRY(pass.configure(settings, given));
    return run({&pass}, settings);
  }

 private:
  Expected<void> run(const std::vector<const Pass*>& passes, const Settings& settings) {
    PassContext context{sink_, settings, &model_.manager->config};
    return model_.manager->run(passes, *model_.graph, context);
  }

  ModelGraph& model_;
  DiagnosticSink& sink_;
  std::vector<const Pass*> passes_;
};

}  // namespace

Expected<void> add_conversion(PassLibrary& library, const PassManager& manager) {
  MO_ASSIGN(const std::vector<const Pass*> passes, manager.order());
  PipelineBuilder convert = pipeline(std::string(kConvert))
                                .described("a model as its framework wrote it", "the IR that mo writes",
                                           "which passes it has depends on the framework and the options");
  for (const Pass* const pass : passes) {
    if (!library.find(pass->name)) library.add(*pass, PassLibrary::Images::any);
    convert = std::move(convert).then(PassUse(pass->name, pass->enabled));
  }
  library.add(std::move(convert).build());
  return library.check();
}

bool want_model_as_read(std::span<const ListedStep> steps, const PassManager& manager) {
  return std::any_of(steps.begin(), steps.end(), [&](const ListedStep& listed) {
    const std::vector<PassUse>& uses = listed.step.passes;
    return std::any_of(uses.begin(), uses.end(), [&](const PassUse& use) {
      const Pass* const pass = manager.find(use.pass);
      return use.pass == kConvert || (pass && pass->phase <= Phase::inference);
    });
  });
}

Expected<std::vector<ListedStep>> with_passes_of_convert(std::span<const ListedStep> steps,
                                                         const PassManager& manager) {
  std::vector<ListedStep> all;
  for (const ListedStep& listed : steps) {
    if (!listed.step.group.empty() || listed.step.passes.front().pass != kConvert) {
      all.push_back(listed);
      continue;
    }
    MO_ASSIGN(const std::vector<const Pass*> passes, manager.order());
    for (const Pass* const pass : passes)
      if (manager.config.runs(*pass)) all.push_back({{{}, {PassUse(pass->name)}}, pass->name});
  }
  return all;
}

Expected<void> run_conversion(std::span<const ListedStep> steps, ModelGraph& model, LibraryRun& run,
                              Reproducer& reproducer, DiagnosticSink& sink) {
  MO_TRY(run.run(std::span<const PassStep>(), *model.graph));  // checks the names in the configuration
  Batch batch(model, sink);
  model.manager->before_pass = [&reproducer](const Pass&, const Graph& graph) { reproducer.begin(graph); };
  for (const ListedStep& listed : steps) {
    const PassUse& use = listed.step.passes.front();
    const Pass* const pass = listed.step.group.empty() ? model.manager->find(use.pass) : nullptr;
    if (pass && use.parameters.empty()) {
      batch.add(pass);
    } else if (pass) {
      MO_TRY(batch.run(*pass, use.parameters));
    } else {
      MO_TRY(batch.run());
      reproducer.begin(*model.graph);
      MO_TRY(run.run(std::span(&listed.step, 1), *model.graph));
    }
  }
  return batch.run();
}

}  // namespace mo::tools
