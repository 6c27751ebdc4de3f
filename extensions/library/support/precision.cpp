#include "extensions/library/support/precision.hpp"

#include <algorithm>

#include "core/execution/recipe.hpp"
#include "core/graph/bodies.hpp"
#include "core/inference/infer.hpp"
#include "core/rewrite.hpp"
#include "extensions/middle/support/matching.hpp"
#include "ops/build/half_precision.hpp"
#include "ops/clamp.hpp"
#include "ops/convert.hpp"
#include "ops/shape_of.hpp"

namespace mo::library {

bool has_mark(const Node& node, std::string_view attribute) {
  const AttributeMap* const info = node.rt_info();
  return info && info->find(attribute);
}

namespace {

/// The limits of an integer type of up to 32 bits.
std::pair<double, double> limits_of(ElementType type) {
  const double count = static_cast<double>(std::int64_t{1} << bit_width(type));
  return is_signed(type) ? std::pair(-count / 2, count / 2 - 1) : std::pair(0.0, count - 1);
}

Expected<Tensor> converted(const Node& node, const Tensor& tensor, ElementType to, DiagnosticSink& diagnostics) {
  const ElementType from = tensor.element_type();
  if (to == ElementType::f16 && (from == ElementType::f32 || from == ElementType::f64)) return build::compressed_to_f16(node, tensor, diagnostics);
  Tensor source = tensor;
  if (is_integral(from) && is_integral(to) && bit_width(to) < bit_width(from)) {
    const auto [lowest, highest] = limits_of(to);
    MO_ASSIGN(source, make_recipe(ops::Clamp{.min = is_signed(from) ? lowest : 0, .max = highest}, {source}, 1, 0, source.type()));
  }
  return make_recipe(ops::Convert{.destination_type = to}, {source}, 1, 0, {to, PartialShape(tensor.shape())});
}

class TypeChanger {
 public:
  TypeChanger(TypeChange change, PassContext& context) : change_(change), context_(context) {}

  Expected<bool> run(Graph& graph) {
    // Inside first: what an op with a body makes is known by its body.
    std::vector<Graph*> graphs = with_bodies(graph);
    std::reverse(graphs.begin(), graphs.end());
    for (Graph* const one : graphs) MO_TRY(change_nodes(*one));
    if (!changed_) return false;
    MO_TRY(infer_graph(graph));
    for (Graph* const one : graphs) MO_TRY(drop_converts(*one));
    return true;
  }

 private:
  Expected<void> change_nodes(Graph& graph) {
    std::vector<Node> nodes;
    for (const Node node : graph.nodes()) nodes.push_back(node);
    Rewriter rw(graph);
    for (const Node& node : nodes) {
      if (change_.from == ElementType::boolean)
        change_boolean_input(rw, node);
      else if (node.is<Const>())
        MO_TRY(change_constant(node));
      else if (!change_attributes(node))
        change_fixed_outputs(rw, node);
    }
    return rw.error() ? Expected<void>(Error(*rw.error())) : Expected<void>();
  }

  Expected<void> change_constant(const Node& node) {
    Tensor& value = node.as<Const>()->value;
    if (value.element_type() != change_.from || has_mark(node, kKeepConstPrecision)) return {};
    MO_ASSIGN(value, converted(node, value, change_.to, context_.diagnostics));
    if (value.byte_size() <= kSmallValueBytes) { MO_ASSIGN(value, value.load()); }
    MO_TRY(infer_node(node));
    changed_ = true;
    return {};
  }

  /// Says whether the op names its type.
  bool change_attributes(const Node& node) {
    if (node.is<ops::v0::ShapeOf>()) {
      if (change_.from != ElementType::i64 || change_.to != ElementType::i32) return false;
      node.set_op(ops::v3::ShapeOf{.output_type = change_.to});
      return changed_ = true;
    }
    bool named = false;
    for (const AttributeInfo& info : node.op_type().attributes) {
      if (info.kind != AttributeKind::element_type) continue;
      named = true;
      const AttributeValue value = node.attribute(info.name);
      const ElementType* const type = value.get_if<ElementType>();
      if (type && *type == change_.from && node.set_attr(info.name, change_.to)) changed_ = true;
    }
    return named;
  }

  /// An op that makes the type out of others does so whatever happens.
  void change_fixed_outputs(Rewriter& rw, const Node& node) {
    if (node.op_type().dynamic || node.op_type().traits.owns_bodies) return;
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (node.input(i) && !originally(node.input(i))) return;
    for (const Value& output : node.out_ports())
      if (output.type().element_type == change_.from && !output.disconnected()) {
        rw.insert_node(output, ops::Convert{.destination_type = change_.to});
        changed_ = true;
      }
  }
  /// Whether the tensor had another type than `from` before anything changed. Constants and inputs are inferred again only at the end.
  bool originally(const Value& value) const { return value.type().element_type != change_.from && value.type().element_type != change_.to; }

  void change_boolean_input(Rewriter& rw, const Node& node) {
    auto* const parameter = node.as<Parameter>();
    if (!parameter || parameter->element_type != change_.from) return;
    const std::vector<InPort> readers = node.output().get_destinations();
    parameter->element_type = change_.to;
    rw.changed(node);
    const Value flags = rw.create(ops::Convert{.destination_type = change_.from}, node.output());
    for (const InPort& reader : readers) rw.set_input(reader.node(), reader.index(), flags);
    changed_ = true;
  }

  Expected<void> drop_converts(Graph& graph) {
    std::vector<Node> converts;
    for (const auto [node, convert] : graph.each<ops::Convert>())
      if (node.input(0) && node.input_type(0).element_type == convert.destination_type) converts.push_back(node);
    Rewriter rw(graph);
    for (const Node& node : converts) {
      const Value x = node.input(0);
      if (x.node().is<Parameter>() && middle::is_model_output(node.output())) continue;  // an input of the model would be its output
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

}  // namespace mo::library
