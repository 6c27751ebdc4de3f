#include "tools/verify/models.hpp"

namespace mo::tools {

bool makes_truth(const Pass& pass) { return pass.phase <= Phase::inference || pass.name == "Preprocessing"; }

Expected<ModelGraph> load_truth(const Options& options, DiagnosticSink& sink, const std::function<void(Conversion&)>& read) {
  LoadOptions how;
  how.watch.read = [&read](Conversion& conversion) {
    conversion.manager->may_run = makes_truth;
    if (read) read(conversion);
  };
  return load_model(options, how, sink);
}

}  // namespace mo::tools
