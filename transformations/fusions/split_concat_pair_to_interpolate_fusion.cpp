#include "core/rewrite.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/interpolate.hpp"
#include "ops/pattern.hpp"
#include "ops/shape_of.hpp"
#include "ops/split.hpp"
#include "ops/strided_slice.hpp"
#include "transformations/support/aligned_shapes.hpp"
#include "transformations/support/constant_folding_marks.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

struct SplitConcatSettings {
  bool use_shapes = true;
  static constexpr auto attributes = Attributes{attr("use_shapes", &SplitConcatSettings::use_shapes)};
};

/// All outputs of one Split in their order, each as often as the others; how often, and the Split. Nothing for other
/// inputs.
struct RepeatedSplit {
  Node split;
  std::int64_t times = 0;
};
std::optional<RepeatedSplit> repeated_split(const Node& concat) {
  const Node split = concat.input(0).node();
  if (!split.is<ops::Split>()) return std::nullopt;
  const std::size_t pieces = split.out_port_count();
  const std::size_t count = concat.in_port_count();
  if (pieces == 0 || count % pieces != 0) return std::nullopt;
  const std::size_t times = count / pieces;
  for (std::size_t i = 0; i < count; ++i)
    if (concat.input(i) != split.output(i / times)) return std::nullopt;
  return RepeatedSplit{split, static_cast<std::int64_t>(times)};
}

/// The length of the axis times the factor; computed from the shape where that stays dynamic.
Value target_length(Rewriter& rw, const Value& data, std::int64_t axis, std::int64_t length, const Value& factor,
                    std::int64_t times, bool use_shapes) {
  if (use_shapes) return rw.integers({length * times});
  const Value shape = rw.create(ops::v3::ShapeOf{}, data);
  // The sizes of this data are not folded into constants.
  shape.node().set_rt_info(kDisableConstantFolding);
  const Value dim = rw.create(ops::StridedSlice{.begin_mask = {0}, .end_mask = {0}}, shape, rw.integers({axis}),
                              rw.integers({axis + 1}), rw.integers({1}));
  const Value real = rw.create(ops::Convert{.destination_type = ElementType::f32}, dim);
  return rw.create(ops::Convert{.destination_type = ElementType::i64},
                   rw.create(ops::Floor{}, rw.create(ops::Multiply{}, real, factor)));
}

}  // namespace

void register_split_concat_pair_to_interpolate_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat concat = op<ops::Concat>();
  passes.offer(
      rewrite("SplitConcatPairToInterpolateFusion")
          .described("Concat of the slices of a Split, each m times", "Interpolate.v4(x) {nearest, m times as long}",
                     "slices of size 1, all of them in their order, m above 1; rank 4 or 5; the same axis in both. "
                     "use_shapes: the length is a constant")
          .settings<SplitConcatSettings>()
          .match(concat)
          .replace([=](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
            const Node node = m.node(concat);
            const auto found = node.in_port_count() > 1 ? repeated_split(node) : std::nullopt;
            if (!found || found->times < 2)
              return declined("not all slices of one Split in their order, each as often");
            const Value data = found->split.input(0);
            const auto rank = data.type().rank();
            if (rank != 4 && rank != 5) return declined("the rank is neither 4 nor 5");
            const auto axes =
                found->split.input(1).node().is<Const>() ? known_axes(found->split.input(1), *rank) : std::nullopt;
            if (!axes || axes->size() != 1 || normalize_axis(node.as<ops::Concat>()->axis, *rank) != axes->front())
              return declined("the axes differ");
            const std::int64_t axis = axes->front();
            const auto pieces = static_cast<std::int64_t>(found->split.out_port_count());
            if (data.type().shape[static_cast<std::size_t>(axis)] != Dimension(pieces))
              return declined("the slices are not of size 1");
            const Value factor = reals_like(rw, {}, {1}, {static_cast<double>(found->times)});
            const bool use_shapes = context.settings.get<SplitConcatSettings>().use_shapes;
            const Value sizes = target_length(rw, data, axis, pieces, factor, found->times, use_shapes);
            ops::v4::Interpolate made;
            made.mode = ops::v4::InterpolateMode::nearest;
            made.shape_calculation_mode = ops::InterpolateShapeMode::scales;
            made.pads_begin.assign(static_cast<std::size_t>(*rank), 0);
            made.pads_end = made.pads_begin;
            return rw.create(made, data, sizes, factor, rw.integers({axis}));
          }));
}

}  // namespace mo::transformations
