#include "transformations/support/precision.hpp"

#include <algorithm>

#include "core/execution/recipe.hpp"
#include "core/graph/bodies.hpp"
#include "core/inference/infer.hpp"
#include "core/rewrite.hpp"
#include "ops/build/half_precision.hpp"
#include "ops/clamp.hpp"
#include "ops/convert.hpp"
#include "ops/saturating_convert.hpp"
#include "ops/shape_of.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {

bool has_mark(const Node& node, std::string_view attribute) {
  const AttributeMap* const info = node.rt_info();
  return info && info->find(attribute);
}

namespace {

Expected<Tensor> converted(const Node& node, const Tensor& tensor, ElementType to, DiagnosticSink& diagnostics) {
  const ElementType from = tensor.element_type();
  if (to == ElementType::f16 && (from == ElementType::f32 || from == ElementType::f64)) {
    MO_ASSIGN(build::HalfConstant half, build::compressed_to_f16(node, tensor, diagnostics));
    return std::move(half.tensor);
  }
  return make_recipe(ops::SaturatingConvert{.destination_type = to}, {tensor}, 1, 0,
                     {to, PartialShape(tensor.shape())});
}

class TypeChanger {
 public:
  TypeChanger(TypeChange change, PassContext& context) : change_(change), context_(context) {}

  Expected<bool> run(Graph& graph) {
    if (change_.from == ElementType::boolean) return change_boolean_ends(graph);
    // Inside first: what an op with a body makes is known by its body.
    std::vector<Graph*> graphs = with_bodies(graph);
    std::reverse(graphs.begin(), graphs.end());
    for (Graph* const one : graphs) MO_TRY(change_nodes(*one));
    for (Graph* const one : graphs) MO_TRY(convert_what_is_left(*one));
    if (!changed_) return false;
    MO_TRY(infer_graph(graph));
    for (Graph* const one : graphs) MO_TRY(drop_converts(*one));
    return true;
  }

 private:
  Expected<void> change_nodes(Graph& graph) {
    for (const Node node : graph.nodes())
      if (node.is<Const>())
        MO_TRY(change_constant(node));
      else
        change_attributes(node);
    return {};
  }

  Expected<void> change_constant(const Node& node) {
    Tensor& value = node.as<Const>()->value;
    if (value.element_type() != change_.from || has_mark(node, kKeepConstPrecision)) return {};
    MO_ASSIGN(value, converted(node, value, change_.to, context_.diagnostics));
    if (value.byte_size() <= kSmallValueBytes) { MO_ASSIGN(value, value.load()); }
    changed_ = true;
    return {};
  }

  /// Of ops that name their type.
  void change_attributes(const Node& node) {
    if (node.is<ops::v0::ShapeOf>() && change_.from == ElementType::i64 && change_.to == ElementType::i32) {
      node.set_op(ops::v3::ShapeOf{.output_type = change_.to});
      changed_ = true;
    }
    for (const AttributeInfo& info : node.op_type().attributes) {
      if (info.kind != AttributeKind::element_type) continue;
      const AttributeValue value = node.attribute(info.name);
      const ElementType* const type = value.get_if<ElementType>();
      if (type && *type == change_.from && node.set_attr(info.name, change_.to)) changed_ = true;
    }
  }

  /// Goes through the graph with the new types; where an op makes the old one whatever it gets, a Convert follows.
  /// Readers of such a Convert are not inferred before all that they read is.
  Expected<void> convert_what_is_left(Graph& graph) {
    const bool had_types = graph.has_types();
    graph.set_has_types(false);
    auto done = convert_in_order(graph);
    graph.set_has_types(had_types);
    return done;
  }

  Expected<void> convert_in_order(Graph& graph) {
    MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
    Rewriter rw(graph);
    for (const Node& node : order) {
      if (changed_) MO_TRY(infer_node(node));
      for (const Value& output : node.out_ports()) {
        if (output.type().element_type != change_.from || is_only_converted(output)) continue;
        MO_TRY(infer_node(rw.insert_node(output, ops::Convert{.destination_type = change_.to}).node()));
        changed_ = true;
      }
    }
    return {};
  }
  /// The readers of the tensor choose the type, or there are no readers.
  static bool is_only_converted(const Value& value) {
    const std::vector<InPort> readers = value.get_destinations();
    return std::all_of(readers.begin(), readers.end(),
                       [](const InPort& reader) { return reader.node().is<ops::Convert>(); });
  }

  /// Ops that make and take booleans know no other type: inputs of the model change, and outputs that are constants.
  Expected<bool> change_boolean_ends(Graph& graph) {
    Rewriter rw(graph);
    for (const Node& result : graph.results()) {
      const Node node = result.input(0).node();
      if (!node.is<Const>()) continue;
      const std::vector<InPort> readers = node.output().get_destinations();
      if (std::all_of(readers.begin(), readers.end(), [](const InPort& reader) { return reader.node().is<Result>(); }))
        MO_TRY(change_constant(node));
    }
    for (const Node& node : graph.parameters()) {
      auto* const parameter = node.as<Parameter>();
      if (parameter->element_type != change_.from) continue;
      const std::vector<InPort> readers = node.output().get_destinations();
      parameter->element_type = change_.to;
      rw.changed(node);
      const Value flags = rw.create(ops::Convert{.destination_type = change_.from}, node.output());
      for (const InPort& reader : readers) rw.set_input(reader.node(), reader.index(), flags);
      changed_ = true;
    }
    if (rw.error()) return Error(*rw.error());
    if (changed_) MO_TRY(infer_graph(graph));
    return changed_;
  }

  Expected<void> drop_converts(Graph& graph) {
    std::vector<Node> converts;
    for (const auto [node, convert] : graph.each<ops::Convert>())
      if (node.input(0) && node.input_type(0).element_type == convert.destination_type) converts.push_back(node);
    Rewriter rw(graph);
    for (const Node& node : converts) {
      const Value x = node.input(0);
      // an input of the model would be its output
      if (x.node().is<Parameter>() && is_model_output(node.output())) continue;
      rw.replace(node, {x});
    }
    return rw.error() ? Expected<void>(Error(*rw.error())) : Expected<void>();
  }

  TypeChange change_;
  PassContext& context_;
  bool changed_ = false;
};

}  // namespace

Expected<bool> change_types(Graph& graph, std::span<const TypeChange> changes, PassContext& context) {
  bool changed = false;
  for (const TypeChange& change : changes) {
    MO_ASSIGN(const bool done, TypeChanger(change, context).run(graph));
    changed = changed || done;
  }
  return changed;
}

}  // namespace mo::transformations
