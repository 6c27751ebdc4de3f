#include <algorithm>

#include "extensions/back/lowering.hpp"
#include "ops/convert.hpp"

namespace mo::back {
namespace {

/// The tensor names of an input that are not its own are those of the output; the node that computes the output is called by the first of them.
void move_output_names(const Node& input, const Value& output) {
  const PortData data = input.output().data();
  std::vector<std::string> names;
  for (const std::string_view name : data.tensor_names()) names.emplace_back(name);
  const bool has_others = std::any_of(names.begin(), names.end(), [&](const std::string& name) { return name != input.name(); });
  if (!has_others) return;
  data.clear_tensor_names();
  std::string first;
  for (const std::string& name : names) {
    if (name == input.name()) {
      data.add_tensor_name(name);
      continue;
    }
    output.data().add_tensor_name(name);
    if (first.empty()) first = name;
  }
  Graph& graph = input.graph();
  if (const Node other = graph.find_node(first)) other.set_name(graph.unique_name(first + "/other"));
  output.node().set_name(first);
}

}  // namespace

/// Several Results of one tensor: all but the first get a Convert to the type that it has; a Result of a Parameter gets one as well. The reader of
/// 2021.4 names an output after the node that computes it, and refuses two of one name, also of an input and an output.
void register_separate_outputs_to_v10(PassRegistry& passes) {
  passes.add(graph_pass("SeparateOutputs")
                 .phase(Phase::back)
                 .run_after({"BackFinish"})
                 .only_top_level()
                 .when(is_for_v10)
                 .run([](Graph& graph, PassContext&) -> Expected<bool> {
                   Rewriter rw(graph);
                   for (const Node& result : graph.results()) {
                     const Value value = result.input(0);
                     if (!value) continue;
                     const std::vector<InPort> readers = value.get_destinations();
                     const bool is_first = !value.node().is<Parameter>() && std::none_of(readers.begin(), readers.end(), [&](const InPort& reader) {
                       return reader.node().is<Result>() && reader.node().id().index < result.id().index;
                     });
                     if (is_first) continue;
                     const Value copy = rw.create(ops::Convert{.destination_type = value.type().element_type}, value);
                     MO_TRY(result.in_port(0).connect(copy));
                     if (value.node().is<Parameter>()) move_output_names(value.node(), copy);
                   }
                   if (rw.error()) return *rw.error();
                   return rw.has_changed();
                 }));
}

}  // namespace mo::back
