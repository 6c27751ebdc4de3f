#include <limits>
#include <optional>

#include "frontends/caffe/ops/support/layer_checks.hpp"
#include "frontends/caffe/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/term.hpp"
#include "ops/concat.hpp"
#include "ops/ctc_greedy_decoder.hpp"
#include "ops/grid_sample.hpp"
#include "ops/shuffle_channels.hpp"
#include "ops/transpose.hpp"

namespace mo::caffe {
namespace {

/// Which steps count, [T, N]. Caffe's sequences end before the first 0 after their first step, where a 0 only marks the
/// beginning: the IR, whose sequences end at any 0, gets a 1 there.
Value step_mask(Rewriter& rw, const Value& goes_on) {
  const Value mask = rw.create(ops::Reshape{.special_zero = true}, goes_on, rw.integers({0, -1}));
  const Value rest = slice_along(rw, mask, 0, 1, std::numeric_limits<std::int64_t>::max());
  const Value first =
      rw.create(ops::Broadcast{}, number_like(rw, goes_on, 1), join(rw, {rw.integers({1}), length_along(rw, mask, 1)}));
  return rw.create(ops::Concat{.axis = 0}, first, rest);
}

/// With a blank class that is not the last one: CTCGreedyDecoderSeqLen, whose lengths are the places of the first steps
/// that don't count.
Value decoded_with_blank(Rewriter& rw, const Value& scores, const Value& mask, std::int64_t blank,
                         bool merge_repeated) {
  const Term length = term(rw, as_scalar(rw, length_along(rw, mask, 0)));
  const Term steps = count_up(rw, length, ElementType::i64).unsqueezed({1});
  const Term places = choose(equal(term(rw, mask), 0), steps, length);
  const Value lengths = reduced<ops::ReduceKind::min>(places, {0}, false);
  const Value batch_first = rw.create(ops::Transpose{}, scores, rw.integers({1, 0, 2}));
  const ops::CTCGreedyDecoderSeqLen op{.merge_repeated = merge_repeated,
                                       .classes_index_type = ElementType::i64,
                                       .sequence_length_type = ElementType::i64};
  const Node decoder = rw.create_node(op, {batch_first, lengths, rw.scalar(blank)}, 2);
  const Value classes = as_type_of(rw, decoder.output(0), scores);
  return rw.create(ops::Unsqueeze{}, classes, rw.integers({2, 3}));
}

/// Bottoms: scores [T, N, C] and whether each sequence goes on [T, N]: 0 in its first step, then 1. Top: [N, T, 1, 1].
Replacement ctc_greedy_decoder(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 2, 2));
  MO_ASSIGN(const std::int64_t blank, integer_in(layer, "ctc_decoder_param.blank_index", -1, -1, kLargestSize));
  const bool merge_repeated = layer.flag("ctc_decoder_param.ctc_merge_repeated", true);
  const Value scores = rw.create(ops::Reshape{.special_zero = true}, layer.bottom(0), rw.integers({0, 0, -1}));
  const Value mask = step_mask(rw, layer.bottom(1));
  if (blank >= 0) return decoded_with_blank(rw, scores, mask, blank, merge_repeated);
  return rw.create(ops::CTCGreedyDecoder{.ctc_merge_repeated = merge_repeated}, scores, mask);
}

/// Spatial transformer: (i, j) of the result, from -1 on in steps of 2 / length, goes to p = theta * (i, j, 1), rows
/// first. Caffe samples element (p + 1) / 2 * length, GridSample without align_corners ((g + 1) * length - 1) / 2, so g
/// = p + 1 / length.
class TransformedGrid {
 public:
  TransformedGrid(const Layer& layer, Rewriter& rw)
      : layer_(layer),
        rw_(rw),
        image_(layer.bottom(0)),
        theta_(rw.create(ops::Reshape{.special_zero = true}, layer.bottom(1), rw.integers({0, -1}))) {}

  Expected<Value> make() {
    MO_ASSIGN(const Value height, result_length("st_param.output_H", 2));
    MO_ASSIGN(const Value width, result_length("st_param.output_W", 3));
    const Term rows = coordinates(height).reshaped({1, -1, 1});
    const Term columns = coordinates(width).reshaped({1, 1, -1});
    const Value shape = join(rw_, {length_along(rw_, image_, 0), height, width});
    // Elements of the transformation are taken in order.
    MO_ASSIGN(const Term y, place('1', rows, columns, 2));
    MO_ASSIGN(const Term x, place('2', rows, columns, 3));
    std::vector<Value> parts;
    for (const Term& coordinate : {x, y})
      parts.push_back(
          rw_.create(ops::Unsqueeze{}, rw_.create(ops::Broadcast{}, coordinate.value(), shape), rw_.integers({-1})));
    return rw_.create(ops::Concat{.axis = 3}, parts);
  }

 private:
  /// The given length of the result, else that of the image: a vector of one number.
  Expected<Value> result_length(std::string_view path, std::int64_t axis) {
    MO_ASSIGN(const std::int64_t given, integer_in(layer_, path, 0, 0, kLargestSize));
    return given > 0 ? rw_.integers({given}) : length_along(rw_, image_, axis);
  }
  Term coordinates(const Value& length) {
    const Term count = term(rw_, as_scalar(rw_, length));
    return count_up(rw_, count.value(), ElementType::f32) / count.as(ElementType::f32) * 2 - 1;
  }
  /// A fixed element of the transformation, or the next one of the input as [N, 1, 1].
  Expected<Term> element(char row, char column) {
    const std::string path = fmt::format("st_param.theta_{}_{}", row, column);
    if (!layer_.has(path)) return Term(rw_, column_of(rw_, theta_, next_++), ElementType::f32).reshaped({-1, 1, 1});
    MO_ASSIGN(const double fixed, finite_real(layer_, path, 0));
    return Term(rw_, rw_.scalar(static_cast<float>(fixed)), ElementType::f32);
  }
  Expected<Term> place(char row, const Term& rows, const Term& columns, std::int64_t axis) {
    MO_ASSIGN(const Term vertical, element(row, '1'));
    MO_ASSIGN(const Term horizontal, element(row, '2'));
    MO_ASSIGN(const Term shift, element(row, '3'));
    const Term length = Term(rw_, dimension_of(rw_, image_, axis), ElementType::i64).as(ElementType::f32);
    return rows * vertical + columns * horizontal + shift + 1 / length;
  }

  const Layer& layer_;
  Rewriter& rw_;
  Value image_;
  Value theta_;
  std::int64_t next_ = 0;
};

/// Bottoms: the image, and those elements of the transformation (2 x 3, row by row) that the layer does not fix by
/// itself.
Replacement spatial_transformer(const FrameworkNode& node, Rewriter& rw) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 2, 2));
  node.ignore({"st_param.to_compute_dU"}, "how gradients are computed");
  const std::string transform = layer.text("st_param.transform_type", "affine");
  const std::string sampler = layer.text("st_param.sampler_type", "bilinear");
  const bool inverted = layer.flag("st_param.de_transform", false);
  if (transform != "affine" || sampler != "bilinear" || inverted)
    return layer
        .error("MO-CAFFE-0250", "the transformation is {} ({} sampling{})", transform, sampler,
               inverted ? ", inverted" : "")
        .hint("affine transformations with bilinear sampling can be expressed");
  MO_ASSIGN(const Value grid, TransformedGrid(layer, rw).make());
  return rw.create(ops::GridSample{}, layer.bottom(0), grid);
}

Expected<Op> shuffle_channel(const FrameworkNode& node) {
  const Layer layer(node);
  MO_TRY(expect_bottoms(layer, 1, 1));
  MO_ASSIGN(const std::int64_t group, integer_in(layer, "shuffle_channel_param.group", 0, 1, kLargestSize));
  return ops::ShuffleChannels{.axis = 1, .group = group};
}

}  // namespace

void register_misc(OperatorTable& table) {
  table.translate("CTCGreedyDecoder", ctc_greedy_decoder);
  table.translate("SpatialTransformer", spatial_transformer);
  table.extract("ShuffleChannel", shuffle_channel);
}

}  // namespace mo::caffe
