#include <algorithm>

#include "core/rewrite.hpp"
#include "transformations/support/old_interface.hpp"

namespace mo::transformations {
namespace {

bool has_name_of(const Node& parameter, const std::vector<std::string>& names) {
  std::vector<std::string_view> known = parameter.output().data().tensor_names();
  known.push_back(parameter.name());
  return std::any_of(known.begin(), known.end(),
                     [&](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); });
}

Expected<bool> write_old_types(Graph& graph, PassContext& context) {
  const std::vector<std::string>& typed = context.settings.get<OldInterfaceSettings>().typed_inputs;
  bool changed = false;
  for (const Node& node : graph.parameters())
    if (const auto type = old_element_type(node); type && !has_name_of(node, typed))
      changed = set_old_element_type(node, *type) || changed;
  return changed;
}

}  // namespace

/// The runtimes of 2022 and 2023 read IR v11 for programs of the API of 2021 (IECore), too: inputs say which element
/// type those expect, where the user did not choose it. As the original writes it up to 2022.3; 2024.6, whose runtime
/// has that API no more, does it for ONNX only.
void register_old_interface_types(PassRegistry& passes) {
  passes.add(graph_pass("OldInterfaceTypes")
                 .phase(Phase::finish)
                 .run_after({"BoundaryNames"})
                 .only_top_level()
                 .when([](const Graph&, const PassContext& context) { return context.settings.ir_version != 10; })
                 .run(write_old_types));
}

}  // namespace mo::transformations
