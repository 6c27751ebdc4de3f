#include "core/op/runtimes.hpp"
#include "ops/convert.hpp"
#include "ops/reduce.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/narrow_integers.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// mean(x) -> the mean of real numbers, truncated; the oldest runtime keeps fractions in integers of 8 and 16 bits,
/// which are taken away before.
RewriteRule mean_of_integers() {
  return rewrite("ReduceMean")
      .match(pattern::op<ops::ReduceMean>())
      .rule([](const Match& m, Rewriter& rw, PassContext& context) -> Replacement {
        const Node node = m.root().node();
        const ElementType type = node.input_type(0).element_type;
        if (!is_integral(type)) return declined("not integers");
        if (bit_width(type) > 8 && is_older("2023.3", context.settings.release))
          return declined("the runtime that was requested truncates means");
        if (node.input_type(0).shape.element_count() == 0) return declined("no elements, which have no mean");
        const Value real = rw.fold(ops::Convert{.destination_type = ElementType::f32}, node.input(0));
        const Value mean = rw.create(*node.as<ops::ReduceMean>(), real, node.input(1));
        return rw.create(ops::Convert{.destination_type = type},
                         bit_width(type) < 32 ? without_fractions(rw, mean) : mean);
      });
}

}  // namespace

void register_integer_means(PassRegistry& passes) {
  passes.add(
      avoid_fault("IntegerMeans",
                  {.form = "ReduceMean of integers; from 2024.6 on of bytes only",
                   .symptom = "rounded to the nearest number, or not compiled; of bytes, what is left of a limited sum",
                   .first = "2021.4",
                   .last = "latest",
                   .replacement = "ReduceMean of f32, Convert"})
          .add(mean_of_integers()));
}

}  // namespace mo::transformations
