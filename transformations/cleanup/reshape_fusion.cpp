#include <algorithm>

#include "core/graph/values.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

bool changes_shape(const Node& node) {
  return node.is<ops::Reshape>() || node.is<ops::Unsqueeze>() || is_squeeze(node);
}

Pat shape_change() {
  return any_op<ops::Reshape, ops::Unsqueeze, ops::Squeeze, ops::v15::Squeeze>().where(
      [](const Value& v) { return changes_shape(v.node()); }, "what changes the shape alone");
}

Pat squeeze(const Pat& x, const Pat& axes) {
  return any_op<ops::Squeeze, ops::v15::Squeeze>(x, axes).where([](const Value& v) { return is_squeeze(v.node()); },
                                                                "axes of size 1");
}

/// Two changes of shape that end where they began -> nothing.
RewriteRule cancelling() {
  return rewrite("CancellingReshapes").match(shape_change()).rule([](const Match& m, Rewriter&) -> Replacement {
    const Value between = m.root().node().input(0);
    if (!between) return declined("an intermediate result has another reader");
    const Node inner = between.node();
    if (!changes_shape(inner)) return declined("the inner one does nothing");
    const Value x = inner.input(0);
    if (!x || !same_shape(x.type().shape, m.root().type().shape))
      return declined("the shape after is not the shape before");
    // An output of the model is not directly an input.
    if (x.node().is<Parameter>() && is_model_output(m.root()))
      return declined("an input of the model would be its output");
    return x;
  });
}

/// The pattern of the outer Reshape, made to be read against `x` instead of the
/// tensor between: a 0 copies a dimension, which must be at the same place of
/// both.
bool means_the_same(const Node& reshape, const PartialShape& x, const PartialShape& between) {
  if (!reshape.as<ops::Reshape>()->special_zero) return true;
  const auto pattern = integers_of(reshape.input(1));
  if (!pattern) return false;
  for (std::size_t i = 0; i < pattern->size(); ++i) {
    if ((*pattern)[i] != 0) continue;
    if (!x.has_rank() || !between.has_rank() || i >= x.size() || i >= between.size() || !x[i].same_value(between[i]))
      return false;
  }
  return true;
}

/// Reshape(any change of shape of x, p) -> Reshape(x, p)
RewriteRule last_reshape() {
  const Pat inner = shape_change().one_use();
  const Pat target = any();
  return rewrite("ReshapeOfReshape")
      .match(op<ops::Reshape>(inner, target))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const Node outer = m.root().node();
        const Value x = m.node(inner).input(0);
        if (!x || !means_the_same(outer, x.type().shape, m[inner].type().shape))
          return declined("the target shape copies dimensions of its input");
        return rw.create(ops::Reshape{*outer.as<ops::Reshape>()}, x, m[target]);
      });
}

/// Unsqueeze(Unsqueeze(x, a), b) -> Unsqueeze(x, c)
RewriteRule unsqueezes() {
  const Pat x = any();
  const Pat first = any();
  const Pat second = any();
  const Pat inner = op<ops::Unsqueeze>(x, first).one_use();
  return rewrite("UnsqueezeOfUnsqueeze")
      .match(op<ops::Unsqueeze>(inner, second))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const auto middle_rank = m[inner].type().rank();
        const auto rank = m.root().type().rank();
        if (!middle_rank || !rank) return declined("ranks are unknown");
        const auto a = known_axes(m[first], *middle_rank);
        const auto b = known_axes(m[second], *rank);
        if (!a || !b) return declined("axes are unknown");
        std::vector<std::int64_t> axes = *b;
        // The places of the result that come from the tensor between, in turn.
        std::int64_t between = 0;
        for (std::int64_t place = 0; place < *rank; ++place) {
          if (std::binary_search(b->begin(), b->end(), place)) continue;
          if (std::binary_search(a->begin(), a->end(), between++)) axes.push_back(place);
        }
        std::sort(axes.begin(), axes.end());
        return rw.create(ops::Unsqueeze{}, m[x], rw.integers(axes));
      });
}

/// Squeeze(Squeeze(x, a), b) -> Squeeze(x, c)
RewriteRule squeezes() {
  const Pat x = any();
  const Pat first = any();
  const Pat second = any();
  const Pat inner = squeeze(x, first).one_use();
  return rewrite("SqueezeOfSqueeze")
      .match(squeeze(inner, second))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        const auto rank = m[x].type().rank();
        const auto middle_rank = m[inner].type().rank();
        if (!rank || !middle_rank) return Replacement::declined();
        const auto a = known_axes(m[first], *rank);
        const auto b = known_axes(m[second], *middle_rank);
        if (!a || !b || a->empty() || b->empty()) return declined("axes are unknown or all");  // no axes: all of size 1
        std::vector<std::int64_t> axes = *a;
        std::int64_t between = 0;
        for (std::int64_t place = 0; place < *rank; ++place) {
          if (std::binary_search(a->begin(), a->end(), place)) continue;
          if (std::binary_search(b->begin(), b->end(), between++)) axes.push_back(place);
        }
        std::sort(axes.begin(), axes.end());
        return rw.create(ops::Squeeze{}, m[x], rw.integers(axes));
      });
}

/// Squeeze(Reshape(x, p), a) -> Reshape(x, p without a); Unsqueeze(Reshape(x,
/// p), a) -> Reshape(x, p with ones at a)
RewriteRule after_reshape() {
  const Pat x = any();
  const Pat target = constant();
  const Pat axes = any();
  const Pat inner = op<ops::Reshape>(x, target).one_use();
  return rewrite("UnsqueezeOfReshape")
      .match(any_of(squeeze(inner, axes), op<ops::Unsqueeze>(inner, axes)))
      .rule([=](const Match& m, Rewriter& rw) -> Replacement {
        auto pattern = integers_of(m[target]);
        const bool adds = m.root().node().is<ops::Unsqueeze>();
        const auto rank = (adds ? m.root() : m[inner]).type().rank();
        if (!pattern || !rank || m[target].type().rank() != 1) return Replacement::declined();
        const auto places = known_axes(m[axes], *rank);
        // A 0 counts by its place.
        if (!places || places->empty() || std::find(pattern->begin(), pattern->end(), 0) != pattern->end())
          return Replacement::declined();
        if (adds) {
          for (const std::int64_t place : *places) pattern->insert(pattern->begin() + place, 1);
        } else {
          for (auto place = places->rbegin(); place != places->rend(); ++place)
            pattern->erase(pattern->begin() + *place);
        }
        return rw.create(ops::Reshape{*m.node(inner).as<ops::Reshape>()}, m[x], rw.integers(*pattern));
      });
}

}  // namespace

/// Chains of Reshape, Squeeze and Unsqueeze -> one, or none when they cancel.
void register_reshape_fusion(PassRegistry& passes) {
  passes.add(graph_rewrite("ReshapeFusion")
                 .run_after({"ShuffleChannelsFusion", "DepthToSpaceFusion", "NearestUpsamplingFusion", "MVNFusion",
                             "DilatedConvolutionFusion", "TransposeFusion"})
                 .run_before({"ConstantFolding"})
                 .add(cancelling())
                 .add(last_reshape())
                 .add(unsqueezes())
                 .add(squeezes())
                 .add(after_reshape()));
}

}  // namespace mo::transformations
