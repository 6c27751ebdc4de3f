#include "core/registry/pass_registry.hpp"

namespace mo::transformations {
namespace {

struct StridedSliceOptimizationSettings {
  bool use_shapes = true;  ///< also what only shapes tell
  static constexpr auto attributes = Attributes{attr("use_shapes", &StridedSliceOptimizationSettings::use_shapes)};
};

PassUse where_shapes_are_used(std::string name, bool used, AttributeMap parameters = {}) {
  return PassUse(std::move(name), true, std::move(parameters), [used](const Settings& settings) {
    return settings.get<StridedSliceOptimizationSettings>().use_shapes == used;
  });
}

AttributeMap use_shapes(bool used) {
  AttributeMap parameters;
  parameters.set("use_shapes", used);
  return parameters;
}

}  // namespace

void register_strided_slice_optimization(PassRegistry& passes) {
  passes.offer(pipeline("StridedSliceOptimization")
                   .described("Slices and StridedSlices", "StridedSlices, fewer ones, or one VariadicSplit")
                   .settings<StridedSliceOptimizationSettings>()
                   .then(where_shapes_are_used("SliceToStridedSlice", true, use_shapes(true)))
                   .then(where_shapes_are_used("SliceToStridedSlice", false, use_shapes(false)))
                   .then(where_shapes_are_used("UselessStridedSliceEraser", true))
                   .then(where_shapes_are_used("SharedStridedSliceEraser", true))
                   .then(where_shapes_are_used("GroupedStridedSliceOptimizer", true)));
}

}  // namespace mo::transformations
