#include "ops/elementwise_binary.hpp"
#include "ops/non_zero.hpp"
#include "ops/reshape.hpp"
#include "ops/squeeze.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Runtimes merge such ops with the next one.
bool is_view(const Node& node) {
  return node.is<ops::Reshape>() || node.is<ops::Squeeze>() || node.is<ops::Unsqueeze>();
}

/// Several nodes read `value`, or what views make of it.
bool is_read_twice(Value value) {
  for (;;) {
    const std::vector<InPort> readers = value.get_destinations();
    if (readers.size() != 1) return readers.size() > 1;
    if (!is_view(readers[0].node()) || readers[0].index() != 0) return false;
    value = readers[0].node().output();
  }
}

/// NonZero with several readers -> Maximum(NonZero, 0), which changes no index and is not a view.
Replacement one_reader(const Node& node, Rewriter& rw) {
  if (!is_read_twice(node.output())) return declined("it has one reader");
  const Value made = rw.create(*node.as<ops::NonZero>(), node.input(0));
  return rw.create(ops::Maximum{}, made, rw.scalar_like(made, 0));
}

}  // namespace

void register_non_zero_read_twice(PassRegistry& passes) {
  passes.add(avoid_fault("NonZeroReadTwice",
                         {.form = "NonZero that several nodes read, directly or after a Reshape, Squeeze or Unsqueeze",
                          .symptom = "not compiled: incorrect number of output edges",
                          .first = "2022.1",
                          .last = "2022.1",
                          .replacement = "NonZero, and a Maximum with 0 that they read"})
                 .add(lowering<ops::NonZero>("OneReader", one_reader)));
}

}  // namespace mo::transformations
