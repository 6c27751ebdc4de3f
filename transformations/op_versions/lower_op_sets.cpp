#include <algorithm>

#include "core/graph/values.hpp"
#include "core/rewrite.hpp"
#include "ops/deformable_convolution.hpp"
#include "ops/embedding_bag.hpp"
#include "ops/gather.hpp"
#include "ops/gather_nd.hpp"
#include "ops/one_hot.hpp"
#include "ops/pad.hpp"
#include "ops/pooling.hpp"
#include "ops/prior_box.hpp"
#include "ops/roi_align.hpp"
#include "ops/scatter.hpp"
#include "ops/soft_max.hpp"
#include "ops/squeeze.hpp"
#include "ops/top_k.hpp"
#include "transformations/op_versions/older_classes.hpp"

namespace mo::transformations {
namespace {

/// A rule for every node of op `Old`: `lower(node, op, rewriter)` gives the same op of an older class, or declines.
template <OpLike Old, class Fn>
RewriteRule lower(Fn fn) {
  const Pat old = pattern::op<Old>();
  return rewrite(std::string(OpType::of<Old>().name)).match(old).rule([=](const Match& m, Rewriter& rw) -> Replacement {
    return fn(m.root().node(), *m.root().node().template as<Old>(), rw);
  });
}

/// Indices of up to a megabyte.
constexpr std::int64_t kMostReadIndices = std::int64_t{1} << 17;

/// A pooling op with the fields in `Shared` of one of another class, and its rounding.
template <class New, class Shared = ops::SlidingWindow, class Old>
New pooling(const Old& op) {
  New made;
  static_cast<Shared&>(made) = op;
  // floor and ceil are the same in both
  made.rounding_type = static_cast<decltype(made.rounding_type)>(op.rounding_type);
  return made;
}

}  // namespace

/// The oldest class of an op that says the same, so that the IR loads in as many runtimes as possible (DESIGN, "Ops and
/// evaluation").
void register_lower_op_sets(PassRegistry& passes) {
  passes.add(
      graph_rewrite("LowerOpSets")
          .phase(Phase::back)
          // opset1: the axis counts from the front.
          .add(lower<ops::v8::SoftMax>([](const Node& node, const ops::v8::SoftMax& op, Rewriter& rw) -> Replacement {
            const auto rank = node.input_type(0).rank();
            const auto axis = rank ? normalize_axis(op.axis, *rank) : std::nullopt;
            if (!axis && op.axis < 0) return Replacement::declined();
            return on_same_inputs(node, rw, ops::v1::SoftMax{.axis = axis.value_or(op.axis)});
          }))
          // opset1 has neither batch_dims nor negative indices, opset7 no negative indices.
          .add(lower<ops::v8::Gather>([](const Node& node, const ops::v8::Gather& op, Rewriter& rw) -> Replacement {
            if (!none_negative(integers_of(node.input(1), kMostReadIndices))) return Replacement::declined();
            if (op.batch_dims == 0) return on_same_inputs(node, rw, ops::v1::Gather{});
            return on_same_inputs(node, rw, ops::v7::Gather{op});
          }))
          // opset5 merges the batch dimensions, which is the same for one or none.
          .add(lower<ops::v8::GatherND>([](const Node& node, const ops::v8::GatherND& op, Rewriter& rw) -> Replacement {
            if (op.batch_dims > 1) return Replacement::declined();
            return on_same_inputs(node, rw, ops::v5::GatherND{.batch_dims = op.batch_dims});
          }))
          .add(lower<ops::v11::TopK>([](const Node& node, const ops::v11::TopK& op, Rewriter& rw) -> Replacement {
            if (op.stable) return Replacement::declined();
            return on_same_inputs(node, rw, ops::v3::TopK{op}, 2);
          }))
          // opset1: pads are not negative.
          .add(lower<ops::v12::Pad>([](const Node& node, const ops::v12::Pad& op, Rewriter& rw) -> Replacement {
            if (!none_negative(integers_of(node.input(1))) || !none_negative(integers_of(node.input(2))))
              return Replacement::declined();
            return on_same_inputs(node, rw, ops::v1::Pad{op});
          }))
          .add(lower<ops::v14::MaxPool>([](const Node& node, const ops::v14::MaxPool& op, Rewriter& rw) -> Replacement {
            if (op.rounding_type == decltype(op.rounding_type)::ceil_torch) return Replacement::declined();
            return on_same_inputs(node, rw, pooling<ops::v8::MaxPool, ops::IndexedWindow>(op), 2);
          }))
          .add(lower<ops::v8::MaxPool>(max_pool_of_opset1))
          .add(lower<ops::v16::AvgPool>([](const Node& node, const ops::v16::AvgPool& op, Rewriter& rw) -> Replacement {
            if (dilates(op.dilations)) return Replacement::declined();
            auto made = pooling<ops::v14::AvgPool>(op);
            made.exclude_pad = op.exclude_pad;
            return on_same_inputs(node, rw, std::move(made));
          }))
          .add(lower<ops::v14::AvgPool>([](const Node& node, const ops::v14::AvgPool& op, Rewriter& rw) -> Replacement {
            if (op.rounding_type == decltype(op.rounding_type)::ceil_torch) return Replacement::declined();
            auto made = pooling<ops::v1::AvgPool>(op);
            made.exclude_pad = op.exclude_pad;
            return on_same_inputs(node, rw, std::move(made));
          }))
          .add(lower<ops::v9::ROIAlign>(roi_align_of_opset3))
          .add(lower<ops::v12::ScatterElementsUpdate>(
              [](const Node& node, const ops::v12::ScatterElementsUpdate& op, Rewriter& rw) -> Replacement {
                if (op.reduction != ops::v12::ElementsReduction::none) return Replacement::declined();
                return on_same_inputs(node, rw, ops::v3::ScatterElementsUpdate{});
              }))
          .add(lower<ops::v15::ScatterNDUpdate>(
              [](const Node& node, const ops::v15::ScatterNDUpdate& op, Rewriter& rw) -> Replacement {
                if (op.reduction != ops::v15::NDReduction::none) return Replacement::declined();
                return on_same_inputs(node, rw, ops::v3::ScatterNDUpdate{});
              }))
          .add(lower<ops::v15::Squeeze>([](const Node& node, const ops::v15::Squeeze& op, Rewriter& rw) -> Replacement {
            if (op.allow_axis_skip) return Replacement::declined();
            return on_same_inputs(node, rw, ops::Squeeze{});
          }))
          // opset1 counts no index from the back.
          .add(lower<ops::v16::OneHot>([](const Node& node, const ops::v16::OneHot& op, Rewriter& rw) -> Replacement {
            const bool counts_back = op.negative_indices_mode == ops::v16::NegativeIndices::normalize;
            if (counts_back && !none_negative(integers_of(node.input(0), kMostReadIndices)))
              return Replacement::declined();
            return on_same_inputs(node, rw, ops::OneHot(op));
          }))
          .add(lower<ops::EmbeddingBagOffsets>(
              [](const Node& node, const ops::EmbeddingBagOffsets& op, Rewriter& rw) -> Replacement {
                if (op.reduction != ops::BagReduction::sum) return Replacement::declined();
                return on_same_inputs(node, rw, ops::EmbeddingBagOffsetsSum{});
              }))
          .add(lower<ops::EmbeddingBagPacked>(
              [](const Node& node, const ops::EmbeddingBagPacked& op, Rewriter& rw) -> Replacement {
                if (op.reduction != ops::BagReduction::sum) return Replacement::declined();
                return on_same_inputs(node, rw, ops::EmbeddingBagPackedSum{});
              }))
          .add(lower<ops::v8::DeformableConvolution>(deformable_convolution_of_opset1))
          // opset1 has the box of the max size before those of other aspect ratios.
          .add(lower<ops::v8::PriorBox>([](const Node& node, const ops::v8::PriorBox& op, Rewriter& rw) -> Replacement {
            if (!op.min_max_aspect_ratios_order && !op.max_size.empty() && !op.aspect_ratio.empty())
              return Replacement::declined();
            return on_same_inputs(node, rw, ops::v0::PriorBox(op));
          })));
}

}  // namespace mo::transformations
