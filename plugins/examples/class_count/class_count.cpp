#include <mo/plugin.hpp>

/// What lies beside the model (a pipeline.config, the command line), and notes that one pass leaves for a later one.
namespace acme {

constexpr std::string_view kNote = "@acme_classes";  // '@': it stays in memory, and moves along when nodes are replaced

/// Phase front knows the names of the model: everything between the points of the head gets the number of classes as a
/// note.
mo::Pass note_class_count() {
  return mo::graph_pass("AcmeNoteClassCount")
      .phase(mo::Phase::front)
      .run([](mo::Graph& graph, mo::PassContext& context) -> mo::Expected<bool> {
        if (!mo::given_option(context.settings, "scale_values"))
          context.diagnostics.report(
              mo::warning("ACME-0006", "images are fed as bytes").hint("scale them with --scale_values [255]"));
        MO_ASSIGN(const auto pipeline, mo::object_detection::PipelineConfig::read(context, {}));
        MO_ASSIGN(const std::int64_t classes, pipeline.integer("num_classes"));
        const mo::Node first = graph.find_node("head/in");
        const mo::Node last = graph.find_node("head/out");
        if (!first || !last) return false;
        MO_ASSIGN(const std::vector<mo::Node> head, mo::config::nodes_between({first}, {last}));
        mo::AttributeMap note;
        note.set("classes", classes);
        for (const mo::Node& node : head) node.set_rt_info(kNote, note);
        return true;
      });
}

/// Phase middle knows shapes: the products that have the note make one number for each class, and one for the
/// background.
mo::Pass check_class_count() {
  return mo::graph_pass("AcmeCheckClassCount").run([](mo::Graph& graph, mo::PassContext&) -> mo::Expected<bool> {
    for (auto [node, product] : graph.each<mo::ops::MatMul>()) {
      const mo::AttributeValue* note = node.rt_info() ? node.rt_info()->find(kNote) : nullptr;
      if (!note) continue;
      const std::int64_t classes = *note->map()->find("classes")->get_if<std::int64_t>();
      const mo::PartialShape& shape = node.output_type().shape;
      if (shape[shape.size() - 1] != mo::Dimension(classes + 1))
        return node.error("ACME-0005", "it has {} values for {} classes", shape[shape.size() - 1].to_string(), classes)
            .hint("give the pipeline.config that this model was trained with");
    }
    return false;
  });
}

}  // namespace acme

MO_PLUGIN("acme-class-count", "1.0.0", [](mo::Registry& registry) {
  registry.passes().add(acme::note_class_count());
  registry.passes().add(acme::check_class_count());
});
