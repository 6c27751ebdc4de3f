#include <limits>

#include "frontends/tensorflow/ops/support/sparse.hpp"
#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/broadcast.hpp"
#include "ops/embedding_bag.hpp"
#include "ops/scatter.hpp"
#include "ops/slice.hpp"

namespace mo::tensorflow {
namespace {

using Reduction = ops::v12::ElementsReduction;
enum class SparseReduction { sum, mean, square_root_mean };

/// One more than the largest id, a scalar: 0 when there are none.
Term segments_of(const Term& ids) {
  Rewriter& rw = ids.rewriter();
  const Value least = ids.number(-1).reshaped({1});
  const Term all(rw, join(rw, {least, ids}), ids.type());
  return reduced<ops::ReduceKind::max>(all, {0}, false) + 1;
}

/// How many ids each segment has, as `type`, [segments]; at least 1, so that it can be divided by.
Term counts_of(const Term& ids, const Value& segments, ElementType type) {
  Rewriter& rw = ids.rewriter();
  const Value length = shape_of(rw, ids);
  const Value one = Term(rw, ids, type).number(1);
  const Value ones = rw.create(ops::Broadcast{}, one, join(rw, {length, rw.integers({1})}));
  const Term order = count_up(rw, as_scalar(rw, length), ids.type());
  const Term sums(rw, rw.create(ops::EmbeddingSegmentsSum{}, ones, order.value(), ids.value(), segments), type);
  return larger(sums.reshaped({-1}), 1);
}

/// The rows of `data` at `indices` added up by id, [segments, …].
Term sums_of(const Term& data, const Term& indices, const Term& ids, const Term& segments) {
  Rewriter& rw = data.rewriter();
  return {rw, rw.create(ops::EmbeddingSegmentsSum{}, data.value(), indices.value(), ids.value(), segments.value()),
          data.type()};
}

/// `data` with the rows of each segment divided by `counts`. Integers: TensorFlow cuts the fraction off.
Term divided(const Term& data, const Term& counts, const Value& like) {
  Rewriter& rw = data.rewriter();
  return data.apply(ops::Divide{.m_pythondiv = false}, along_axis(rw, counts, like, 0));
}

/// [shape of the first dimension] + the dimensions of `data` after the first `skipped` (a length).
Value shape_of_rows(Rewriter& rw, const Value& data, const Value& skipped, const Value& first) {
  const Value end = rw.integers({std::numeric_limits<std::int64_t>::max()});
  const Value rest = rw.create(ops::Slice{}, shape_of(rw, data), skipped, end, rw.integers({1}));
  return join(rw, {first, rest});
}

/// Rows of `data` combined by id (all below `rows`, a scalar) into rows that hold `initial` when no id names them.
Term scattered(const Term& data, const Term& ids, const Value& rows, const Term& initial, Reduction reduction) {
  Rewriter& rw = data.rewriter();
  const Value one = rw.integers({1});
  // One row, taken again and again: so inference knows the other dimensions even when the number of rows is not known.
  const Value row = rw.create(ops::Broadcast{}, initial.value(), shape_of_rows(rw, data, one, one));
  const Value again = rw.create(ops::Broadcast{}, rw.scalar<std::int64_t>(0), as_length(rw, as_i64(rw, rows)));
  const Value start = rw.create(ops::Gather{}, row, again, rw.scalar<std::int64_t>(0));
  const Value places = rw.create(ops::Broadcast{}, along_axis(rw, ids, data, 0), shape_of(rw, data));
  const ops::ScatterElementsUpdate op{.reduction = reduction, .use_init_val = false};
  return {rw, rw.create(op, start, places, data.value(), rw.scalar<std::int64_t>(0)), data.type()};
}

/// Input 0 of a node that needs `inputs` of them. Errors: MO-FRONT-0006, MO-TF-0550 (complex numbers).
Expected<Term> segmented_data(const FrameworkNode& node, Rewriter& rw, std::size_t inputs) {
  MO_TRY(expect_real(node));
  MO_TRY(node.expect_inputs(inputs));
  return term(rw, node.input(0));
}

/// Segment…: inputs data [n, …] and ascending ids [n]. TensorFlow: segments without rows are 0, of a product 1.
Replacement segment_sum(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const Term data, segmented_data(node, rw, 2));
  const Term ids = term(rw, node.input(1));
  return sums_of(data, count_up(rw, as_scalar(rw, shape_of(rw, ids)), ids.type()), ids, segments_of(ids)).value();
}

Replacement segment_mean(const FrameworkNode& node, Rewriter& rw) {
  MO_ASSIGN(const Term data, segmented_data(node, rw, 2));
  const Term ids = term(rw, node.input(1));
  const Term segments = segments_of(ids);
  const Term sums = sums_of(data, count_up(rw, as_scalar(rw, shape_of(rw, ids)), ids.type()), ids, segments);
  return divided(sums, counts_of(ids, segments, data.type()), data).value();
}

Translator segment_extremum(Reduction reduction) {
  return [reduction](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_ASSIGN(const Term data, segmented_data(node, rw, 2));
    const Term ids = term(rw, node.input(1));
    const Term empty = data.number(reduction == Reduction::prod ? 1 : 0);
    return scattered(data, ids, segments_of(ids).as(ElementType::i64), empty, reduction).value();
  };
}

/// What an empty segment of UnsortedSegment… holds: the neutral element.
double neutral(Reduction reduction, ElementType type) {
  if (reduction == Reduction::sum) return 0;
  if (reduction == Reduction::prod) return 1;
  const bool lowest = reduction == Reduction::max;
  switch (type) {
    case ElementType::f16: return lowest ? -65504 : 65504;
    case ElementType::f64: return lowest ? std::numeric_limits<double>::lowest() : std::numeric_limits<double>::max();
    case ElementType::bf16: return lowest ? -3.3895313892515355e38 : 3.3895313892515355e38;
    case ElementType::f32: return lowest ? std::numeric_limits<float>::lowest() : std::numeric_limits<float>::max();
    // saturates
    default: return lowest ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
}

/// UnsortedSegment…: inputs data, ids (whose dimensions are the first ones of data), number of segments. Rows with
/// negative ids vanish: they go to a further segment that is cut off.
Translator unsorted_segment(Reduction reduction) {
  return [reduction](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    MO_ASSIGN(Term data, segmented_data(node, rw, 3));
    Term ids = term(rw, node.input(1));
    if (node.input_type(1).rank() != 1) {
      const Value dimensions = rank_length(rw, node.input(1));
      ids = ids.reshaped({-1});
      data = data.apply(ops::Reshape{}, shape_of_rows(rw, node.input(0), dimensions, shape_of(rw, ids)));
    }
    ids = ids.as(ElementType::i64);
    const Term segments(rw, integer_of(rw, node.input(2)), ElementType::i64);
    const bool all_count = none_negative(constant_integers_of(node.input(1)));
    Term rows = segments;
    if (!all_count) {
      ids = choose(less(ids, 0), segments, ids);
      rows = segments + 1;
    }
    const Term result = reduction == Reduction::sum
                            ? Term(rw, sum_of_rows(rw, data, ids, rows), data.type())
                            : scattered(data, ids, rows, data.number(neutral(reduction, data.type())), reduction);
    if (all_count) return result.value();
    return rw.create(ops::Slice{}, result.value(), rw.integers({0}), as_length(rw, segments), rw.integers({1}),
                     rw.integers({0}));
  };
}

/// SparseSegment…: inputs data, indices of rows [n], their ascending segments [n], and (`counted`) the number of
/// segments. Of the sum, the mean, or the sum divided by the square root of the count; empty segments are 0.
Translator sparse_segment(SparseReduction reduction, bool counted) {
  return [reduction, counted](const FrameworkNode& node, Rewriter& rw) -> Replacement {
    node.ignore({"sparse_gradient"}, "how gradients are computed");
    MO_ASSIGN(const Term data, segmented_data(node, rw, counted ? 4 : 3));
    const Term indices = term(rw, node.input(1)).as(ElementType::i64);
    const Term ids = term(rw, node.input(2)).as(ElementType::i64);
    const Term segments = counted ? Term(rw, integer_of(rw, node.input(3)), ElementType::i64) : segments_of(ids);
    const Term sums = sums_of(data, indices, ids, segments);
    if (reduction == SparseReduction::sum) return sums.value();
    const Term counts = counts_of(ids, segments, data.type());
    return divided(sums, reduction == SparseReduction::mean ? counts : counts.apply(ops::Sqrt{}), data).value();
  };
}

}  // namespace

void register_segment(OperatorTable& table) {
  table.translate("SegmentSum", segment_sum);
  table.translate("SegmentMean", segment_mean);
  table.translate("SegmentMax", segment_extremum(Reduction::max));
  table.translate("SegmentMin", segment_extremum(Reduction::min));
  table.translate("SegmentProd", segment_extremum(Reduction::prod));
  table.translate("UnsortedSegmentSum", unsorted_segment(Reduction::sum));
  table.translate("UnsortedSegmentMax", unsorted_segment(Reduction::max));
  table.translate("UnsortedSegmentMin", unsorted_segment(Reduction::min));
  table.translate("UnsortedSegmentProd", unsorted_segment(Reduction::prod));
  for (const bool counted : {false, true}) {
    const std::string suffix = counted ? "WithNumSegments" : "";
    table.translate("SparseSegmentSum" + suffix, sparse_segment(SparseReduction::sum, counted));
    table.translate("SparseSegmentMean" + suffix, sparse_segment(SparseReduction::mean, counted));
    table.translate("SparseSegmentSqrtN" + suffix, sparse_segment(SparseReduction::square_root_mean, counted));
  }
}

}  // namespace mo::tensorflow
