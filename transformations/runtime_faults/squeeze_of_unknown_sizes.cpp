#include "ops/squeeze.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Squeeze without axes -> Squeeze of the dimensions that are certainly 1, when there are others that may be 1 when the
/// model runs: no release compiles a Squeeze whose result has an unknown rank. Warning MO-BACK-0007.
RewriteRule squeeze_of_certain_ones() {
  return rewrite("SqueezeOfCertainOnes")
      .match(pattern::op<ops::Squeeze>())
      .rule([](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
        const Node node = m.root().node();
        const PartialShape& shape = node.input_type(0).shape;
        const bool has_axes =
            node.in_port_count() > 1 && node.input(1) && node.input_type(1).shape.element_count() != 0;
        if (has_axes || !shape.has_rank()) return Replacement::declined();
        std::vector<std::int64_t> ones;
        std::int64_t uncertain = -1;
        for (std::size_t i = 0; i < shape.size(); ++i) {
          if (shape[i] == Dimension(1))
            ones.push_back(static_cast<std::int64_t>(i));
          else if (shape[i].compatible(1))
            uncertain = static_cast<std::int64_t>(i);
        }
        if (uncertain < 0 || ones.empty())
          return declined("no dimension is certainly 1, or the others are certainly not");
        context.diagnostics.report(
            node.warning("MO-BACK-0007",
                         "dimension {} of {} stays, though it would go if it were 1 when the model runs", uncertain,
                         shape.to_string())
                .hint("give the shape of the model's input with --input_shape"));
        return rw.create(ops::Squeeze{}, node.input(0), rw.integers(ones));
      });
}

}  // namespace

void register_squeeze_of_unknown_sizes(PassRegistry& passes) {
  passes.add(avoid_fault("SqueezeOfUnknownSizes",
                         {.form = "Squeeze without axes, where some dimensions are 1 and others unknown",
                          .symptom = "the model is not compiled: dynamic rank",
                          .first = "2022.1",
                          .last = "latest",
                          .replacement = "Squeeze of the dimensions that are known to be 1"})
                 .add(squeeze_of_certain_ones()));
}

}  // namespace mo::transformations
