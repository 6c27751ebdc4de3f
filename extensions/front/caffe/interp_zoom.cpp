#include "extensions/front/caffe/interp_zoom.hpp"

#include "core/rewrite.hpp"

namespace mo::front::caffe {
namespace {

/// Nothing in a prototxt tells the two readings apart: the user does, and every Interp is told.
Expected<bool> mark_layers(Graph& graph, PassContext& context) {
  if (!context.settings.get<InterpSettings>().zoom_multiplies) return false;
  bool changed = false;
  for (const Node node : graph.nodes()) {
    if (!node.is("caffe::Interp")) continue;
    MO_TRY(node.set_attr("zoom_multiplies", true));
    changed = true;
  }
  return changed;
}

}  // namespace

void register_interp_zoom(PassRegistry& passes) {
  passes.add(graph_pass("InterpZoom").phase(Phase::front).only_top_level().run(mark_layers));
}

}  // namespace mo::front::caffe
