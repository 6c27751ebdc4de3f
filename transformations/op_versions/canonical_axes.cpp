#include "ops/elementwise_binary.hpp"
#include "ops/interpolate.hpp"
#include "ops/range.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "ops/transpose.hpp"
#include "transformations/op_versions/lowering.hpp"

namespace mo::transformations {
namespace {

/// Axes of an Interpolate that count from the back -> the same from the front: the class of 2022.1 takes them for
/// unsigned.
Replacement interpolate_axes(const Node& node, Rewriter& rw) {
  if (node.in_port_count() < 4 || !node.input(3)) return Replacement::declined();
  const Value axes = axes_from_the_front(rw, node.input(3), node.input(0));
  if (axes == node.input(3)) return Replacement::declined();
  return rw.create(*node.as<ops::v4::Interpolate>(), node.input(0), node.input(1), node.input(2), axes);
}

/// Transpose(x, []) of an unknown rank -> Transpose(x, Range(rank - 1, -1, -1)): runtimes ask for the rank to reverse
/// the dimensions.
Replacement reversal(const Node& node, Rewriter& rw) {
  const Value x = node.input(0);
  const Value order = node.input(1);
  if (!order || x.type().shape.has_rank() || order.type().shape.element_count() != 0) return Replacement::declined();
  const Value lengths = rw.create(ops::ShapeOf{}, x);
  const Value rank =
      rw.create(ops::Reshape{.special_zero = false}, rw.create(ops::ShapeOf{}, lengths), rw.integers({}));
  const Value one_back = rw.scalar<std::int64_t>(-1);
  const Value last = rw.create(ops::Add{}, rank, one_back);
  return rw.create(ops::Transpose{}, x,
                   rw.create(ops::v4::Range{.output_type = ElementType::i64}, last, one_back, one_back));
}

}  // namespace

/// Axes as the runtimes' classes want them, where an op's definition says more: counted from the front, and of a known
/// number.
void register_canonical_axes(PassRegistry& passes) {
  passes.add(graph_rewrite("CanonicalAxes")
                 .phase(Phase::back)
                 .run_after({"LowerOpSets"})
                 .run_before({"CanonicalInputs"})
                 .add(lowering<ops::v4::Interpolate>("Interpolate", interpolate_axes))
                 .add(lowering<ops::Transpose>("Transpose", reversal)));
}

}  // namespace mo::transformations
