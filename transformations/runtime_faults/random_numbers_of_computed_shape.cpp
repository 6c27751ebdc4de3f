#include "core/graph/values.hpp"
#include "ops/build/scan.hpp"
#include "ops/build/tensors.hpp"
#include "ops/loop.hpp"
#include "ops/random_uniform.hpp"
#include "ops/reduce.hpp"
#include "ops/reshape.hpp"
#include "transformations/op_versions/lowering.hpp"
#include "transformations/runtime_faults/support/exact_quotient.hpp"
#include "transformations/support/runtime_fault.hpp"

namespace mo::transformations {
namespace {

/// Numbers that a step of the loop draws.
constexpr std::int64_t kDrawn = 1024;

/// At least `count` numbers (a vector of one element), in a vector.
Value drawn_in_steps(Rewriter& rw, const Node& random, const Value& count) {
  const Value size = rw.integers({kDrawn});
  const Value enough = rw.create(ops::Add{}, count, rw.integers({kDrawn - 1}));
  const Value steps =
      rw.create(ops::Maximum{}, exact_quotient(rw, {.m_pythondiv = false}, enough, size), rw.integers({1}));
  ops::Loop loop;
  Graph& body = loop.body.graph();
  Rewriter inner(body);
  const Value low = body.create_parameter(random.input_type(1)).output();
  const Value high = body.create_parameter(random.input_type(2)).output();
  body.create_result(inner.scalar(true));
  body.create_result(inner.create(*random.as<ops::RandomUniform>(), inner.integers({1, kDrawn}), low, high));
  ops::OutputMap all = build::last_output(0, 1);
  all.axis = 0;
  loop.input_map = {build::whole_input(2, 0), build::whole_input(3, 1)};
  loop.output_map = {build::last_output(-1, 0), all};
  const Node rows = rw.create_node(std::move(loop), {steps, rw.scalar(true), random.input(1), random.input(2)}, 1);
  return rw.create(ops::Reshape{.special_zero = false}, rows.output(0), rw.integers({-1}));
}

/// RandomUniform(shape) -> Reshape(the first numbers of a Loop that draws them, shape)
Replacement in_steps(const Node& node, Rewriter& rw) {
  if (integers_of(node.input(0))) return declined("the shape is known");
  if (node.output().get_destinations().empty()) return declined("nothing reads the values");
  const Value shape = build::as_type(rw, node.input(0), ElementType::i64);
  const Value count = rw.create(ops::ReduceProd{.keep_dims = true}, shape, rw.integers({0}));
  ops::StridedSlice first;
  first.begin_mask = {0};
  first.end_mask = {0};
  const Value drawn = drawn_in_steps(rw, node, count);
  const Value numbers = rw.create(std::move(first), drawn, rw.integers({0}), count, rw.integers({1}));
  return rw.create(ops::Reshape{.special_zero = false}, numbers, shape);
}

}  // namespace

void register_random_numbers_of_computed_shape(PassRegistry& passes) {
  passes.add(avoid_fault("RandomNumbersOfComputedShape",
                         {.form = "RandomUniform whose shape is computed of unknown sizes",
                          .symptom = "not compiled: its rank is dynamic for the runtime",
                          .first = "2022.1",
                          .last = "2022.1",
                          .replacement = "Loop over a RandomUniform of 1024 numbers, the first of which are reshaped"})
                 .add(lowering<ops::RandomUniform>("RandomUniform", in_steps)));
}

}  // namespace mo::transformations
