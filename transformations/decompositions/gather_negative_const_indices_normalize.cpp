#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/gather.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {

void register_gather_negative_const_indices_normalize(PassRegistry& passes) {
  using namespace pattern;
  const Pat data = any();
  const Pat index = constant();
  const Pat axis = constant();
  passes.offer(
      rewrite("GatherNegativeConstIndicesNormalize")
          .described("Gather(x, -i, axis)", "Gather(x, size - i, axis)",
                     "one constant negative index; the size of x along the axis is known")
          .match(any_op<ops::v1::Gather, ops::v7::Gather, ops::v8::Gather>(data, index, axis))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const Node gather = m.root().node();
            const auto number = single_integer_of(m[index]);
            const auto along = single_integer_of(m[axis]);
            const PartialShape& shape = m[data].type().shape;
            if (!number || *number >= 0 || !along) return declined("not one negative index");
            if (!shape.has_rank()) return declined("the rank is unknown");
            const auto place = normalize_axis(*along, static_cast<std::int64_t>(shape.size()));
            if (!place || !shape[static_cast<std::size_t>(*place)].is_known())
              return declined("the size along the axis is unknown");
            const std::int64_t size = shape[static_cast<std::size_t>(*place)].value();
            if (*number + size < 0) return declined("the index is outside of the data");
            const auto index_shape = m[index].type().shape.to_shape();
            auto counted = from_integers(m[index].type().element_type, index_shape.value_or(Shape{}), {*number + size});
            if (!counted) return std::move(counted).error();
            return rw.copy_with_new_inputs(gather, {m[data], rw.constant(*std::move(counted)), m[axis]}).output();
          }));
}

}  // namespace mo::transformations
