#include "tools/test/irs.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "core/pass/pass_manager.hpp"
#include "driver/builtins.hpp"
#include "driver/emission.hpp"
#include "driver/pipeline.hpp"
#include "ir_emitter/emitter.hpp"

namespace mo::test {
namespace {

/// What a conversion to one version does from inference on.
class LastPhases {
 public:
  LastPhases(int ir_version, const std::string& framework) : settings_(settings_of(options_of(ir_version))) {
    register_builtins(registry_, framework);
    auto made = make_pipeline(registry_, framework, options_of(ir_version));
    if (made) pipeline_ = *std::move(made);
  }

  /// False where the version has no words for the graph: other tests look at what is said then.
  bool write(const Graph& graph, const std::string& path) const {
    const std::unique_ptr<Graph> copy = graph.clone();
    DiagnosticList diagnostics;
    PassContext context{diagnostics, settings_, nullptr};
    for (const Phase phase : {Phase::inference, Phase::middle, Phase::back, Phase::finish})
      if (!pipeline_ || !pipeline_->run(phase, *copy, context)) return false;
    return static_cast<bool>(ir_emitter::emit(*copy, emit_options(settings_, path)));
  }

 private:
  static Options options_of(int ir_version) {
    Options options;
    options.ir_version = ir_version;
    return options;
  }

  Registry registry_;
  Settings settings_;
  std::unique_ptr<PassManager> pipeline_;
};

}  // namespace

void keep_irs(const Graph& graph, const std::string& name, const std::string& framework) {
  static const char* const folder = std::getenv("MO_GOLDEN_IRS");
  if (folder == nullptr || graph.results().empty()) return;
  static std::map<std::pair<int, std::string>, LastPhases> pipelines;
  for (const int version : {10, 11}) {
    const LastPhases& phases = pipelines.try_emplace({version, framework}, version, framework).first->second;
    const std::filesystem::path path = std::filesystem::path(folder) / fmt::format("v{}", version) / (name + ".xml");
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    phases.write(graph, path.string());
  }
}

}  // namespace mo::test
