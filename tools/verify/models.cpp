#include "tools/verify/models.hpp"

namespace mo::tools {

bool makes_truth(const Pass& pass) { return pass.phase <= Phase::inference || pass.name == "Preprocessing"; }

Expected<ModelGraph> load_truth(const Options& options, DiagnosticSink& sink, const std::function<void(Conversion&)>& read,
                                const std::function<void(const Graph&)>& changed) {
  LoadOptions how;
  how.watch.read = [&](Conversion& conversion) {
    conversion.manager->may_run = makes_truth;
    if (changed)
      conversion.manager->after_pass = [&changed](const Pass&, const Graph& graph, bool did) {
        if (did) changed(graph);
      };
    if (read) read(conversion);
  };
  return load_model(options, how, sink);
}

}  // namespace mo::tools
