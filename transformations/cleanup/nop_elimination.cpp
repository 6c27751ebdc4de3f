#include "core/registry/pass_registry.hpp"

namespace mo::transformations {
namespace {

struct NopEliminationSettings {
  bool use_shapes = true;  ///< also what only shapes tell; they may be those of one run
  static constexpr auto attributes = Attributes{attr("use_shapes", &NopEliminationSettings::use_shapes)};
};

PassUse with_shapes(const char* name) {
  return PassUse(std::string(name), true, {},
                 [](const Settings& settings) { return settings.get<NopEliminationSettings>().use_shapes; });
}

}  // namespace

void register_nop_elimination(PassRegistry& passes) {
  passes.offer(pipeline("NopElimination")
                   .described("ops that change nothing", "their inputs")
                   .settings<NopEliminationSettings>()
                   .group("NopElimination",
                          {"EliminatePad", "EliminateConvert", "EliminateConvertNonZero", "EliminateConcat",
                           "EliminateSplit", "EliminateTranspose", "EliminateEltwise", with_shapes("EliminateReshape"),
                           with_shapes("EliminateSqueeze"), with_shapes("EliminateUnsqueeze"),
                           with_shapes("EliminateBroadcast"), with_shapes("EliminateGather")}));
}

}  // namespace mo::transformations
