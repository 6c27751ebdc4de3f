#include <cmath>
#include <vector>

#include "core/execution/recipe.hpp"
#include "core/types/half.hpp"
#include "ops/clamp.hpp"
#include "ops/convert.hpp"
#include "phases/back/finish.hpp"

namespace mo::phases {
namespace {

constexpr double kLargest = 65504;           // of f16
constexpr double kSmallest = 5.9604645e-08;  // 2^-24, the smallest denormal

/// Nodes whose value is used as a shape, an axis or a size: backwards from shape inputs up to ShapeOf.
std::vector<std::uint8_t> shape_computations(const Graph& graph) {
  std::vector<std::uint8_t> marked(graph.node_capacity());
  std::vector<Node> open;
  const auto mark = [&](const Value& value) {
    if (!value || marked[value.node().id().index]) return;
    marked[value.node().id().index] = 1;
    open.push_back(value.node());
  };
  for (const Node node : graph.nodes()) {
    const std::uint32_t shapes = node.op_type().traits.shape_inputs;
    for (std::size_t i = 0; shapes != 0 && i < node.in_port_count() && i < 32; ++i)
      if ((shapes >> i) & 1U) mark(node.input(i));
  }
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (node.op_type().traits.shape_of || node.is<Parameter>()) continue;
    for (std::size_t i = 0; i < node.in_port_count(); ++i) mark(node.input(i));
  }
  return marked;
}

struct RangeReport {
  std::int64_t clipped = 0;
  std::int64_t vanished = 0;
  double largest = 0;
};

template <class T>
RangeReport scan(std::span<const T> values) {
  RangeReport report;
  for (const T v : values) {
    const double size = std::abs(static_cast<double>(v));
    if (!std::isfinite(size)) continue;
    if (size > kLargest) ++report.clipped;
    if (size > 0 && size < kSmallest / 2) ++report.vanished;
    report.largest = std::max(report.largest, size);
  }
  return report;
}

Expected<Tensor> compress(const Node& node, const Tensor& tensor, DiagnosticSink& diagnostics) {
  RangeReport report;
  {
    MO_ASSIGN(const Tensor loaded, tensor.load());
    report = tensor.element_type() == ElementType::f64 ? scan(loaded.values<double>()) : scan(loaded.values<float>());
  }
  const Value output = node.output();
  const std::string_view name = !node.name().empty() || output.disconnected() ? node.name() : output.get_destinations().front().node().name();
  Tensor source = tensor;
  if (report.clipped > 0) {
    diagnostics.report(warning("MO-HALF-0001", "{} of {} values of constant '{}' are beyond the range of f16 and are clipped to ±65504 (largest: {})",
                               report.clipped, tensor.element_count(), name, report.largest)
                           .hint("keep the model in f32 if its results suffer"));
    MO_ASSIGN(source, make_recipe(ops::Clamp{.min = -kLargest, .max = kLargest}, {source}, 1, 0, source.type()));
  }
  if (report.vanished > 0)
    diagnostics.report(warning("MO-HALF-0002", "{} of {} values of constant '{}' become zero in f16", report.vanished, tensor.element_count(), name)
                           .hint("keep the model in f32 if its results suffer"));
  const TensorType type{ElementType::f16, PartialShape(tensor.shape())};
  return make_recipe(ops::Convert{.destination_type = ElementType::f16}, {source}, 1, 0, type);
}

}  // namespace

Pass compress_to_fp16() {
  return graph_pass("CompressToFp16")
      .phase(Phase::finish)
      .when([](const Graph&, const PassContext& context) { return context.settings.compress_to_fp16; })
      .run([](Graph& graph, PassContext& context) -> Expected<bool> {
        const bool everything = context.settings.ir_version == 10;
        const std::vector<std::uint8_t> shapes = shape_computations(graph);
        const auto is_wide = [](ElementType type) { return type == ElementType::f32 || type == ElementType::f64; };
        const std::uint32_t end = graph.node_capacity();
        Rewriter rewriter(graph);
        bool changed = false;
        for (std::uint32_t i = 0; i < end; ++i) {
          const Node node = graph.node(NodeId{i});
          if (!node.alive() || shapes[i]) continue;
          if (const auto* constant = node.as<Const>(); constant && is_wide(constant->value.element_type())) {
            const ElementType before = constant->value.element_type();
            MO_ASSIGN(Tensor half, compress(node, constant->value, context.diagnostics));
            const Node replacement = graph.create_constant(std::move(half), node.name());
            replacement.add_sources_of(node);
            Value value = replacement.output();
            if (!everything) {
              if (!node.name().empty()) replacement.set_name(fmt::format("{}_compressed", node.name()));
              const Node convert = rewriter.create_node(ops::Convert{.destination_type = before}, {value});
              convert.set_name(node.name());
              convert.set_rt_info("decompression");
              value = convert.output();
            }
            MO_TRY(node.output().get_connection().set_source(value));
            graph.erase(node);
            changed = true;
          } else if (everything) {
            if (auto* parameter = node.as<Parameter>(); parameter && is_wide(parameter->element_type)) {
              parameter->element_type = ElementType::f16;
              changed = true;
            } else if (auto* convert = node.as<ops::Convert>(); convert && is_wide(convert->destination_type)) {
              convert->destination_type = ElementType::f16;
              changed = true;
            }
          }
        }
        return changed;
      });
}

}  // namespace mo::phases
