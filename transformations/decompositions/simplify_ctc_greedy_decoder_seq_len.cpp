#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/broadcast.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/ctc_greedy_decoder.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/range.hpp"
#include "ops/reduce.hpp"
#include "ops/select.hpp"
#include "ops/shape_of.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {
namespace {

Expected<Value> numbers_of_type(Rewriter& rw, ElementType type, const Shape& shape,
                                const std::vector<std::int64_t>& values) {
  MO_ASSIGN(Tensor tensor, from_integers(type, shape, values));
  return rw.constant(std::move(tensor));
}

/// 1 for the steps [length, batch] that the lengths [batch] count, 0 for others; as `type`. The numbers are of the type
/// of the lengths.
Expected<Value> mask_of(Rewriter& rw, const Value& data, const Value& lengths, ElementType type) {
  const ElementType counts = lengths.type().element_type;
  const auto list = [&](const std::vector<std::int64_t>& values) {
    return numbers_of_type(rw, counts, {static_cast<std::int64_t>(values.size())}, values);
  };
  const auto scalar = [&](std::int64_t value) { return numbers_of_type(rw, counts, {}, {value}); };
  const Value shape = rw.create(ops::ShapeOf{}, data);
  MO_ASSIGN(const Value second, list({1}));
  MO_ASSIGN(const Value first, list({0}));
  MO_ASSIGN(const Value one, scalar(1));
  MO_ASSIGN(const Value zero, scalar(0));
  MO_ASSIGN(const Value exchange, list({1, 0}));
  const Value steps = rw.create(ops::v1::Gather{}, shape, second, zero);
  const Value batch = rw.create(ops::v1::Gather{}, shape, first, zero);
  const Value repeated = rw.create(ops::v3::Broadcast{}, lengths, rw.create(ops::Concat{.axis = 0}, steps, batch));
  const Value by_batch = rw.create(ops::Transpose{}, repeated, exchange);
  const Value end = rw.create(ops::Squeeze{}, rw.create(ops::Add{}, steps, rw.integers({1})), first);
  const Value places = rw.create(ops::Range{.output_type = counts}, one, end, one);
  const Value counted = rw.create(ops::Select{}, rw.create(ops::GreaterEqual{}, by_batch, places), one, zero);
  return rw.create(ops::Convert{.destination_type = type}, rw.create(ops::Transpose{}, counted, exchange));
}

/// How many classes of each row are not the filling -1, as `type`.
Expected<Value> count_of(Rewriter& rw, const Value& classes, ElementType type) {
  const ElementType own = classes.type().element_type;
  MO_ASSIGN(const Value filling, numbers_of_type(rw, own, {}, {-1}));
  MO_ASSIGN(const Value zero, numbers_of_type(rw, own, {1}, {0}));
  MO_ASSIGN(const Value one, numbers_of_type(rw, own, {1}, {1}));
  const Value found = rw.create(ops::Select{}, rw.create(ops::Equal{}, classes, filling), zero, one);
  return rw.create(ops::Convert{.destination_type = type}, rw.create(ops::ReduceSum{.keep_dims = false}, found, one));
}

/// No blank given means the last class, which is that of CTCGreedyDecoder.
bool last_class_is_blank(const Node& decoder) {
  if (!decoder.input(2)) return true;
  const PartialShape& data = decoder.input_type(0).shape;
  const auto blank = single_integer_of(decoder.input(2));
  return blank && data.has_rank() && data.size() == 3 && data[2].is_known() && *blank == data[2].value() - 1;
}

Expected<Outputs> decoded(const Node& node, const ops::CTCGreedyDecoderSeqLen& op, Rewriter& rw) {
  const Value data = node.input(0);
  const Value lengths = node.input(1);
  MO_ASSIGN(const Value exchange, numbers_of_type(rw, ElementType::i32, {3}, {1, 0, 2}));
  const Value by_step = rw.create(ops::Transpose{}, data, exchange);
  MO_ASSIGN(const Value mask, mask_of(rw, data, lengths, data.type().element_type));
  const Value decoder = rw.create(ops::CTCGreedyDecoder{.ctc_merge_repeated = op.merge_repeated}, by_step, mask);
  const ElementType counts = lengths.type().element_type;
  MO_ASSIGN(const Value last, numbers_of_type(rw, counts, {1}, {3}));
  MO_ASSIGN(const Value third, numbers_of_type(rw, counts, {1}, {2}));
  const Value rows = rw.create(ops::Squeeze{}, rw.create(ops::Squeeze{}, decoder, last), third);
  const Value classes = rw.create(ops::Convert{.destination_type = op.classes_index_type}, rows);
  MO_ASSIGN(const Value count, count_of(rw, classes, op.sequence_length_type));
  return Outputs{classes, count};
}

}  // namespace

void register_simplify_ctc_greedy_decoder_seq_len(PassRegistry& passes) {
  passes.offer(rewrite("SimplifyCTCGreedyDecoderSeqLen")
                   .described("CTCGreedyDecoderSeqLen(x, lengths, blank)",
                              "CTCGreedyDecoder(Transpose(x), mask of the lengths), without its dimensions of 1, and "
                              "the number of classes found",
                              "the blank is the last class")
                   .match(pattern::op<ops::CTCGreedyDecoderSeqLen>())
                   .replace(of_op<ops::CTCGreedyDecoderSeqLen>(
                       [](const Node& node, const ops::CTCGreedyDecoderSeqLen& op, Rewriter& rw) -> Replacement {
                         if (!last_class_is_blank(node))
                           return declined("the blank may be another class than the last");
                         auto outputs = decoded(node, op, rw);
                         return outputs ? Replacement(*std::move(outputs)) : Replacement(std::move(outputs).error());
                       })));
}

}  // namespace mo::transformations
