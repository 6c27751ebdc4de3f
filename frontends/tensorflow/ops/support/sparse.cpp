#include "frontends/tensorflow/ops/support/sparse.hpp"

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/embedding_bag.hpp"
#include "ops/top_k.hpp"

namespace mo::tensorflow {

Term strides_of(const Term& shape) {
  Rewriter& rw = shape.rewriter();
  const Term dimensions = count_up(rw, list_length(rw, shape), ElementType::i64);
  const Term of = dimensions.unsqueezed({1});
  const Term behind = less(of, dimensions.unsqueezed({0}));
  return reduced<ops::ReduceKind::prod>(choose(behind, shape.unsqueezed({0}), 1), {1}, false);
}

Term flat_places_of(const Term& indices, const Term& shape) {
  return reduced<ops::ReduceKind::sum>(indices * strides_of(shape), {1}, false);
}

Term indices_of_places(const Term& places, const Term& shape) {
  // A stride of an empty tensor is 0, but then there is nothing to divide.
  const Term steps = larger(strides_of(shape), 1);
  return (places.unsqueezed({1}) / steps).apply(ops::FloorMod{}, larger(shape, 1));
}

Order ascending(const Term& keys) {
  Rewriter& rw = keys.rewriter();
  const Value count = as_scalar(rw, shape_of(rw, keys));
  const ops::TopK sort{
      .axis = 0, .mode = ops::TopKMode::min, .sort = ops::TopKSort::value, .index_element_type = ElementType::i64};
  const Node sorted = rw.create_node(sort, {keys.value(), count}, 2);
  return {{rw, sorted.output(0), keys.type()}, {rw, sorted.output(1), ElementType::i64}};
}

Value sum_of_rows(Rewriter& rw, const Value& data, const Term& ids, const Value& rows) {
  const Order order = ascending(ids);
  return rw.create(ops::EmbeddingSegmentsSum{}, data, order.from.value(), order.keys.value(), rows);
}

Term dense_of(const Term& indices, const Term& values, const Term& shape) {
  Rewriter& rw = values.rewriter();
  const Term size = reduced<ops::ReduceKind::prod>(shape, {0}, false);
  const Value sums = sum_of_rows(rw, values.unsqueezed({1}), flat_places_of(indices, shape), size);
  return {rw, rw.create(ops::Reshape{}, sums, shape.value()), values.type()};
}

Term rows_of_places(const Term& x, const Value& places) {
  Rewriter& rw = x.rewriter();
  return {rw, rw.create(ops::Gather{}, x.value(), places, rw.scalar<std::int64_t>(0)), x.type()};
}

}  // namespace mo::tensorflow
