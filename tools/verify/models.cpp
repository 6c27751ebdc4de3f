#include "tools/verify/models.hpp"

#include "extensions/config/config_ops.hpp"

namespace mo::tools {

bool makes_truth(const Pass& pass, Replacers replacers) {
  const bool reads = pass.phase <= Phase::inference || pass.name == "Preprocessing";
  return reads && (replacers == Replacers::kept || (pass.plugin.empty() && !config::follows_configuration(pass)));
}

bool has_replacers(const Options& options) { return options.has_plugins() || !options.transformations_config.empty(); }

Expected<ModelGraph> load_truth(const Options& options, Replacers replacers, DiagnosticSink& sink,
                                const std::function<void(Conversion&)>& read,
                                const std::function<void(const Graph&)>& changed) {
  LoadOptions how;
  how.watch.read = [&](Conversion& conversion) {
    conversion.manager->may_run = [replacers](const Pass& pass) { return makes_truth(pass, replacers); };
    if (changed)
      conversion.manager->also_after_pass([&changed](const PassEvent& event) {
        if (event.changed) changed(event.graph);
      });
    if (read) read(conversion);
  };
  return load_model(options, how, sink);
}

}  // namespace mo::tools
