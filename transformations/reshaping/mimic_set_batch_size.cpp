#include <numeric>

#include "core/graph/values.hpp"
#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/concat.hpp"
#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/gather.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"

namespace mo::transformations {
namespace {

std::optional<std::int64_t> known_batch(const Value& value) {
  const PartialShape& shape = value.type().shape;
  return shape.has_rank() && shape.size() > 1 && shape[0].is_known() ? std::optional(shape[0].value()) : std::nullopt;
}

/// ceil(batch of x * ratio).
Value scaled_batch(Rewriter& rw, const Value& x, ElementType type, float ratio) {
  const Value batch = rw.create(ops::v1::Gather{}, rw.create(ops::v3::ShapeOf{.output_type = type}, x),
                                rw.integers({0}), rw.scalar<std::int64_t>(0));
  const Value number = rw.create(ops::Convert{.destination_type = ElementType::f32}, batch);
  const Value product = rw.create(ops::Multiply{}, number, rw.constant(Tensor::vector<float>({ratio})));
  return rw.create(ops::Convert{.destination_type = type}, rw.create(ops::Ceiling{}, product));
}

}  // namespace

void register_mimic_set_batch_size(PassRegistry& passes) {
  using namespace pattern;
  const Pat x = any();
  const Pat target = any();
  passes.offer(
      rewrite("MimicSetBatchSize")
          .described("Reshape(x, [n, …])", "Reshape(x, [ceil(batch of x * n / batch of x today), …])",
                     "known target whose first number is above 0; known first dimensions, ranks of 2 and more")
          .match(op<ops::Reshape>(x, target))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const Node node = m.root().node();
            const auto before = known_batch(m[x]);
            const auto after = known_batch(m.root());
            const auto sizes = integers_of(m[target]);
            if (!before || *before == 0 || !after || !sizes || sizes->empty() || sizes->front() <= 0)
              return declined("the batch is unknown, or not hard coded");
            // What it becomes is known in the same way: only what the model itself says is hard coded.
            if (m.node(target).is<ops::Concat>() && m.node(target).input(0).node().is<ops::Convert>())
              return declined("the batch is computed already");
            const ElementType type = m[target].type().element_type;
            const float ratio = static_cast<float>(*after) / static_cast<float>(*before);
            std::vector<std::int64_t> others(sizes->size() - 1);
            std::iota(others.begin(), others.end(), std::int64_t{1});
            const Value rest = rw.create(ops::v1::Gather{}, m[target], rw.integers(others), rw.scalar<std::int64_t>(0));
            rw.set_input(node, 1, rw.create(ops::Concat{.axis = 0}, scaled_batch(rw, m[x], type, ratio), rest));
            return changed_in_place(node);
          }));
}

}  // namespace mo::transformations
