#pragma once

#include "frontends/tensorflow/ops/support/translate.hpp"
#include "ops/build/term.hpp"

/// Arithmetic of sparse tensors: indices [n, rank], values [n], shape [rank], all integers i64.
namespace mo::tensorflow {

/// How far apart neighbours along each dimension are in a dense tensor of this shape, [rank].
Term strides_of(const Term& shape);
/// The place of each element in a dense tensor of this shape, [n].
Term flat_places_of(const Term& indices, const Term& shape);
/// The inverse: [n] -> [n, rank].
Term indices_of_places(const Term& places, const Term& shape);

/// The order that makes `keys` [n] ascend: keys in order, and where each of them was.
struct Order {
  Term keys;
  Term from;
};
Order ascending(const Term& keys);

/// The rows of `data` [n, …] added up by id [n] (i64, in any order, below `rows`): [rows, …]. `rows` is a scalar.
Value sum_of_rows(Rewriter& rw, const Value& data, const Term& ids, const Value& rows);

/// The dense tensor. Values at the same place are added up.
Term dense_of(const Term& indices, const Term& values, const Term& shape);

/// Rows of `x` along dimension 0.
Term rows_of_places(const Term& x, const Value& places);

}  // namespace mo::tensorflow
