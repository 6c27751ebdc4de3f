#include <algorithm>

#include "core/rewrite.hpp"
#include "core/tensor/convert.hpp"
#include "ops/convolution.hpp"
#include "ops/gather.hpp"

namespace mo::transformations {

/// Convolution(Gather(x, order, 1), w) -> Convolution(x, Gather(w, inverse order, 1)): channels that are permuted
/// before a convolution can be permuted in its weights.
void register_reverse_channels_fusion(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat order = constant();
  const Pat axis = constant();
  const Pat weights = constant();
  const Pat gather = op<ops::v8::Gather>(x, order, axis).one_use();
  const Pat convolution = op<ops::Convolution>(gather, weights);

  passes.add(rewrite("ReverseChannelsFusion")
                 .run_after({"Preprocessing"})
                 .match(convolution)
                 .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                   const auto places = to_integers(m[order].node().as<Const>()->value);
                   const auto along = to_integers(m[axis].node().as<Const>()->value);
                   const PartialShape& shape = m[x].type().shape;
                   if (!places || !along || along->size() != 1 || along->front() != 1 || !shape.has_rank() ||
                       shape.size() < 3)
                     return declined("indices or axis are unknown, or the axis is not that of channels");
                   if (m.node(gather).as<ops::v8::Gather>()->batch_dims != 0 ||
                       shape[1] != Dimension(static_cast<std::int64_t>(places->size())))
                     return Replacement::declined();
                   std::vector<std::int64_t> inverse(places->size(), -1);
                   for (std::size_t i = 0; i < places->size(); ++i) {
                     const std::int64_t from = (*places)[i];
                     if (from < 0 || from >= static_cast<std::int64_t>(places->size()) ||
                         inverse[static_cast<std::size_t>(from)] != -1)
                       return Replacement::declined();
                     inverse[static_cast<std::size_t>(from)] = static_cast<std::int64_t>(i);
                   }
                   const Value permuted =
                       rw.fold(ops::v8::Gather{}, m[weights], rw.integers(inverse), rw.scalar<std::int64_t>(1));
                   return rw.create(ops::Convolution{*m.node(convolution).as<ops::Convolution>()}, m[x], permuted);
                 }));
}

}  // namespace mo::transformations
