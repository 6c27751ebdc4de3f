#include <algorithm>
#include <limits>

#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/term.hpp"
#include "ops/ctc_greedy_decoder.hpp"
#include "ops/ctc_loss.hpp"
#include "ops/gather_nd.hpp"
#include "ops/non_zero.hpp"
#include "ops/scatter.hpp"
#include "ops/transpose.hpp"

namespace mo::tensorflow {
namespace {

/// [T, B, C] -> [B, T, C]
Value batch_first(Rewriter& rw, const Value& x) { return rw.create(ops::Transpose{}, x, rw.integers({1, 0, 2})); }

/// Inputs: scores [T, B, C], lengths [B]. Outputs: the decoded classes as a sparse tensor (indices, values, shape), and
/// for each sequence minus the sum of its highest scores [B, 1].
Replacement ctc_greedy_decoder(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(2));
  const Value scores = node.input(0);
  const Term lengths = term(rw, node.input(1));
  const auto blank = node.attr<std::int64_t>("blank_index", -1);
  std::vector<Value> inputs{batch_first(rw, scores), lengths.value()};
  if (blank >= 0) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();  // far beyond all classes
    inputs.push_back(rw.scalar(static_cast<std::int32_t>(std::min(blank, kMost))));
  } else if (blank != -1) {
    const Term classes(rw, dimension_of(rw, scores, 2), ElementType::i64);
    inputs.push_back((classes + static_cast<double>(blank)).as(ElementType::i32));
  }
  const ops::CTCGreedyDecoderSeqLen op{.merge_repeated = node.attr("merge_repeated", false),
                                       .classes_index_type = ElementType::i64,
                                       .sequence_length_type = ElementType::i64};
  const Node decoder = rw.create_node(op, inputs, 2);
  const Term classes(rw, decoder.output(0), ElementType::i64);

  const Value decoded = rw.create(ops::NonZero{}, greater_equal(classes, 0).value());
  const Value indices = rw.create(ops::Transpose{}, decoded, rw.integers({1, 0}));
  const Value values = rw.create(ops::GatherND{}, classes.value(), indices);
  const Value longest = rw.create(ops::ReduceMax{.keep_dims = true}, decoder.output(1), rw.integers({0}));
  const Value shape = join(rw, {length_along(rw, scores, 1), longest});

  const Term highest = reduced<ops::ReduceKind::max>(term(rw, scores), {2}, false);
  const Term steps = count_up(rw, dimension_of(rw, scores, 0), ElementType::i32).unsqueezed({1});
  const Term counted = choose(less(steps, lengths), highest, 0);
  const Term sum = reduced<ops::ReduceKind::sum>(counted, {0}, false).unsqueezed({1});
  return Outputs{indices, values, shape, sum.apply(ops::Negative{}).value()};
}

/// Inputs: logits [T, B, C], labels as a sparse tensor of shape [B, …] (indices [n, 2], values [n]), lengths [B].
/// `blank_first`: class 0 is the blank one (CTCLossV2), else the last class.
Replacement ctc_loss(const FrameworkNode& node, Rewriter& rw, bool blank_first) {
  MO_TRY(node.expect_inputs(4));
  node.ignore({"ignore_longer_outputs_than_inputs"},
              "whether labels that cannot fit end the run; their loss is infinite");
  if (node.output_used(1))
    return node.error("MO-TF-0690", "the gradient of CTCLoss is read").hint("cut training parts off with --output");
  const Value logits = batch_first(rw, node.input(0));
  const Value room = slice_along(rw, shape_of(rw, logits), 0, 0, 2);
  const Value nothing = rw.create(ops::Broadcast{}, rw.scalar<std::int32_t>(-1), room);
  const Term labels(rw, rw.create(ops::ScatterNDUpdate{}, nothing, node.input(1), node.input(2)), ElementType::i32);
  const Term label_lengths = reduced<ops::ReduceKind::sum>(greater_equal(labels, 0).as(ElementType::i32), {1}, false);
  Value blank;
  if (blank_first)
    blank = rw.scalar<std::int32_t>(0);
  else
    blank = (Term(rw, dimension_of(rw, logits, 2), ElementType::i64) - 1).as(ElementType::i32);
  const ops::CTCLoss op{.preprocess_collapse_repeated = node.attr("preprocess_collapse_repeated", false),
                        .ctc_merge_repeated = node.attr("ctc_merge_repeated", true)};
  return rw.create(op, logits, node.input(3), labels.value(), label_lengths.value(), blank);
}

}  // namespace

void register_ctc(OperatorTable& table) {
  table.translate("CTCGreedyDecoder", ctc_greedy_decoder);
  table.translate("CTCLoss", [](const FrameworkNode& node, Rewriter& rw) { return ctc_loss(node, rw, false); });
  table.translate("CTCLossV2", [](const FrameworkNode& node, Rewriter& rw) { return ctc_loss(node, rw, true); });
}

}  // namespace mo::tensorflow
