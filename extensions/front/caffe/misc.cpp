#include <limits>

#include "extensions/support/term.hpp"
#include "ops/broadcast.hpp"
#include "ops/concat.hpp"
#include "ops/ctc_greedy_decoder.hpp"
#include "ops/grid_sample.hpp"
#include "ops/slice.hpp"
#include "ops/transpose.hpp"

namespace mo::front::caffe {
namespace {

/// Which steps count, [T, N]. Caffe's sequences end in front of the first 0 behind their first step, where a 0 only says that they begin:
/// the IR, whose sequences end at any 0, gets a 1 there.
Value step_mask(Rewriter& rw, const Value& goes_on) {
  const Value mask = rw.create(ops::Reshape{.special_zero = true}, goes_on, rw.integers({0, -1}));
  const Value rest =
      rw.create(ops::Slice{}, mask, rw.integers({1}), rw.integers({std::numeric_limits<std::int64_t>::max()}), rw.integers({1}), rw.integers({0}));
  const Value first = rw.create(ops::Broadcast{}, number_like(rw, goes_on, 1), join(rw, {rw.integers({1}), length_along(rw, mask, 1)}));
  return rw.create(ops::Concat{.axis = 0}, first, rest);
}

/// With a blank class that is not the last one: CTCGreedyDecoderSeqLen, whose lengths are the places of the first steps that don't count.
Value decoded_with_blank(Rewriter& rw, const Value& scores, const Value& mask, std::int64_t blank, bool merge_repeated) {
  const Value length = length_along(rw, mask, 0);
  const Term steps = count_up(rw, as_scalar(rw, length), ElementType::i64).unsqueezed({1});
  const Term ends = equal(Term(rw, mask, known_type(mask).element_type), 0);
  const Term places = choose(ends, steps, Term(rw, as_scalar(rw, length), ElementType::i64));
  const Value lengths = reduced<ops::ReduceKind::min>(places, {0}, false);
  const Value batch_first = rw.create(ops::Transpose{}, scores, rw.integers({1, 0, 2}));
  const ops::CTCGreedyDecoderSeqLen op{
      .merge_repeated = merge_repeated, .classes_index_type = ElementType::i64, .sequence_length_type = ElementType::i64};
  const Node decoder = rw.create_node(op, {batch_first, lengths, rw.scalar(blank)}, 2);
  const Value classes = as_type_of(rw, decoder.output(0), scores);
  return rw.create(ops::Unsqueeze{}, classes, rw.integers({2, 3}));
}

Replacement replace_ctc_greedy_decoder(const Node& node, Rewriter& rw) {
  const Value scores = rw.create(ops::Reshape{.special_zero = true}, node.input(0), rw.integers({0, 0, -1}));
  const Value mask = step_mask(rw, node.input(1));
  const bool merge_repeated = node.attr<bool>("merge_repeated").value_or(true);
  const std::int64_t blank = node.attr<std::int64_t>("blank").value_or(-1);
  if (blank >= 0) return decoded_with_blank(rw, scores, mask, blank, merge_repeated);
  return rw.create(ops::CTCGreedyDecoder{.ctc_merge_repeated = merge_repeated}, scores, mask);
}

/// Spatial transformer: (i, j) of the result, from -1 on in steps of 2 / length, goes to p = theta * (i, j, 1), rows first. Caffe samples
/// element (p + 1) / 2 * length, GridSample without align_corners ((g + 1) * length - 1) / 2, so g = p + 1 / length.
class TransformedGrid {
 public:
  TransformedGrid(const Node& node, Rewriter& rw)
      : node_(node), rw_(rw), theta_(rw.create(ops::Reshape{.special_zero = true}, node.input(1), rw.integers({0, -1}))) {}

  Value make() {
    const Value height = result_length("height", 2);
    const Value width = result_length("width", 3);
    const Term rows = coordinates(height).reshaped({1, -1, 1});
    const Term columns = coordinates(width).reshaped({1, 1, -1});
    const Value shape = join(rw_, {length_along(rw_, node_.input(0), 0), height, width});
    // Elements of the transformation are taken in order.
    const Term y = place('1', rows, columns, 2);
    const Term x = place('2', rows, columns, 3);
    std::vector<Value> parts;
    for (const Term& coordinate : {x, y})
      parts.push_back(rw_.create(ops::Unsqueeze{}, rw_.create(ops::Broadcast{}, coordinate.value(), shape), rw_.integers({-1})));
    return rw_.create(ops::Concat{.axis = 3}, parts);
  }

 private:
  /// The given length of the result, else that of the image: a vector of one number.
  Value result_length(std::string_view name, std::int64_t axis) {
    const std::int64_t given = node_.attr<std::int64_t>(name).value_or(0);
    return given > 0 ? rw_.integers({given}) : length_along(rw_, node_.input(0), axis);
  }
  Term coordinates(const Value& length) {
    const Term count = Term(rw_, as_scalar(rw_, length), ElementType::i64);
    return count_up(rw_, count.value(), ElementType::f32) / count.as(ElementType::f32) * 2 - 1;
  }
  /// A fixed element of the transformation, or the next one of the input as [N, 1, 1].
  Term element(char row, char column) {
    if (const auto fixed = node_.attr<double>(fmt::format("theta_{}_{}", row, column)))
      return {rw_, rw_.scalar(static_cast<float>(*fixed)), ElementType::f32};
    return Term(rw_, column_of(rw_, theta_, next_++), ElementType::f32).reshaped({-1, 1, 1});
  }
  Term place(char row, const Term& rows, const Term& columns, std::int64_t axis) {
    const Term vertical = rows * element(row, '1');
    const Term horizontal = columns * element(row, '2');
    const Term shift = element(row, '3');
    const Term length = Term(rw_, dimension_of(rw_, node_.input(0), axis), ElementType::i64).as(ElementType::f32);
    return vertical + horizontal + shift + 1 / length;
  }

  Node node_;
  Rewriter& rw_;
  Value theta_;
  std::int64_t next_ = 0;
};

Replacement replace_spatial_transformer(const Node& node, Rewriter& rw) {
  const Value grid = TransformedGrid(node, rw).make();
  return rw.create(ops::GridSample{}, node.input(0), grid);
}

}  // namespace

void register_misc(PassRegistry& passes) {
  passes.add(front_replacement_op("CaffeCTCGreedyDecoder").replace_op(replace_ctc_greedy_decoder));
  passes.add(front_replacement_op("CaffeSpatialTransformer").replace_op(replace_spatial_transformer));
}

}  // namespace mo::front::caffe
