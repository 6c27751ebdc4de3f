#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/graph/values.hpp"
#include "ops/broadcast.hpp"
#include "ops/classification.hpp"
#include "ops/mat_mul.hpp"
#include "ops/pattern.hpp"
#include "ops/scaled_dot_product_attention.hpp"
#include "ops/select.hpp"
#include "ops/soft_max.hpp"
#include "ops/squeeze.hpp"
#include "ops/transpose.hpp"
#include "ops/unsqueeze.hpp"
#include "transformations/support/matching.hpp"
#include "transformations/support/op_rules.hpp"

namespace mo::transformations {
namespace {

using namespace pattern;

constexpr OpId kAttention = ops::ScaledDotProductAttention::id;

/// A number that takes the place of a score and leaves nothing of its weight: that of f16 or lower, which stands for
/// minus infinity. Where it is added, the result is the same, but for a query without any key, whose row has no
/// meaning.
Pat no_weight() {
  constexpr double kLowestOfF16 = -65504;
  return one_number().where([](const Value& v) { return *number_of(v) <= kLowestOfF16; }, "-65504 or a lower number");
}

struct AttentionParts {
  Pat query = any();
  Pat key = any();
  Pat value = any();
  Pat mask = any();
  Pat condition = any();
  Pat hidden = no_weight();
  Pat factor = one_number();
  Pat divisor = one_number();
  Pat products = op<ops::MatMul>(query, key);
  Pat scaled = any_of(products * factor, products / divisor, products);
  Pat added = scaled + mask;
  Pat seen = op<ops::Select>(condition, scaled, hidden);
  Pat unseen = op<ops::Select>(condition, hidden, scaled);
  Pat scores = any_of(added, seen, unseen, scaled);
  Pat weights = any_op<ops::v1::SoftMax, ops::v8::SoftMax>(scores);
  Pat without_nan = op<ops::Select>(op<ops::IsNaN>(weights), number(0), weights);
  Pat closed = any();  ///< queries without a key
  Pat of_open = op<ops::Select>(closed, number(0), weights);
  Pat root = op(ops::MatMul{}, any_of(without_nan, of_open, weights), value);
};

/// `data` without a factor of one number, which goes to `scale`.
Value without_factor(const Value& data, double& scale) {
  const Node node = data.node();
  const bool divides = node.is<ops::Divide>();
  if (!divides && !node.is<ops::Multiply>()) return data;
  const auto parts = tensor_and_constant(node);
  const auto number = parts ? number_of(parts->constant) : std::nullopt;
  if (!number || *number == 0 || (divides && parts->constant != node.input(1))) return data;
  if (!same_shape(parts->tensor.type().shape, data.type().shape)) return data;
  scale *= divides ? 1 / *number : *number;
  return parts->tensor;
}

/// The last two dimensions in the other order: what a Transpose before would have made in one step.
Value with_columns_as_rows(Rewriter& rw, const Value& data) {
  const auto rank = static_cast<std::size_t>(*data.type().rank());
  std::vector<std::int64_t> order(rank);
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[rank - 1], order[rank - 2]);
  const Node node = data.node();
  const auto before = node.is<ops::Transpose>() ? known_order(node, rank) : std::nullopt;
  if (!before) return transposed_by(rw, data, order);
  for (std::int64_t& axis : order) axis = static_cast<std::int64_t>((*before)[static_cast<std::size_t>(axis)]);
  if (std::is_sorted(order.begin(), order.end())) return node.input(0);
  return transposed_by(rw, node.input(0), order);
}

/// 1 / sqrt(E), as exact as f32 is.
bool is_default_scale(double scale, const PartialShape& query) {
  const Dimension& length = query[query.size() - 1];
  return length.is_known() && std::abs(scale * std::sqrt(static_cast<double>(length.value())) - 1) < 1e-6;
}

bool is_along_last(const Node& soft_max) {
  const auto rank = soft_max.output_type().rank();
  if (const auto* op = soft_max.as<ops::v1::SoftMax>()) return rank && op->axis == *rank - 1;
  const std::int64_t axis = soft_max.as<ops::v8::SoftMax>()->axis;
  return axis == -1 || (rank && axis == *rank - 1);
}

/// What is added to the scores; empty: nothing.
Value mask_of(const AttentionParts& p, const Match& m, Rewriter& rw) {
  if (const Value mask = m.find(p.mask)) {
    if (mask.type().rank() != 1) return mask;
    return rw.create(ops::Unsqueeze{}, mask, rw.integers({0}));
  }
  const Value condition = m.find(p.condition);
  if (!condition) return {};
  const Value zero = rw.scalar_like(m[p.hidden], 0);
  const Value hidden = as_scalar(rw, m[p.hidden]);
  const bool shows = static_cast<bool>(m.find(p.seen));
  return rw.create(ops::Select{}, condition, shows ? zero : hidden, shows ? hidden : zero);
}

/// Whether scores have the shape `products` with a mask of the shape `mask`, as far as the model tells: unknown sizes
/// are taken to fit.
bool keeps_shape_of(const PartialShape& mask, const PartialShape& products) {
  if (!mask.has_rank() || mask.size() > products.size()) return false;
  for (std::size_t back = 1; back <= mask.size(); ++back) {
    const Dimension& of_mask = mask[mask.size() - back];
    const Dimension& of_product = products[products.size() - back];
    if (of_mask == Dimension(1) || of_mask.same_value(of_product)) continue;
    if (of_product == Dimension(1) || (of_mask.is_known() && !of_product.is_known())) return false;
  }
  return true;
}

bool is_one(const PartialShape& shape, std::size_t axis) { return shape[axis] == Dimension(1); }

/// Queries that share keys in groups: queries [batch, groups, queries of a group, L, E], keys and values with 1 in
/// place of the queries of a group, as GroupQueryAttention is written.
struct Groups {
  std::int64_t count = 0;
  std::int64_t queries = 0;

  std::int64_t heads() const { return count * queries; }
};

std::optional<Groups> groups_of(const AttentionParts& p, const Match& m) {
  const PartialShape& query = m[p.query].type().shape;
  if (!query[1].is_known() || !query[2].is_known() || !query[4].is_known()) return std::nullopt;
  for (const Pat& shared : {p.key, p.value}) {
    const PartialShape& shape = m[shared].type().shape;
    if (shape[1] != query[1] || !is_one(shape, 2) || !shape[4].is_known()) return std::nullopt;
  }
  for (const Pat& mask : {p.mask, p.condition})
    if (const Value found = m.find(mask)) {
      const PartialShape& shape = found.type().shape;
      if (shape.size() > 2 && (shape.size() != 5 || !is_one(shape, 1) || !is_one(shape, 2))) return std::nullopt;
    }
  return Groups{query[1].value(), query[2].value()};
}

/// [batch, groups, queries of a group, rows, columns] -> [batch, heads, rows, columns]
Value as_heads(Rewriter& rw, const Value& data, const Groups& groups) {
  return reshaped_to(rw, data, {0, groups.heads(), -1, data.type().shape[4].value()}, true);
}

/// The same of what the queries of a group share: a copy for each, the form that runtimes look for.
Value repeated_as_heads(Rewriter& rw, const Value& data, const Groups& groups) {
  const Value copies = rw.create(ops::Broadcast{.mode = ops::v3::BroadcastMode::bidirectional}, data,
                                 rw.integers({1, 1, groups.queries, 1, 1}));
  return as_heads(rw, copies, groups);
}

/// Whether a condition on the weights is one on queries: the same for all keys.
bool is_of_queries(const PartialShape& condition, const PartialShape& products) {
  return keeps_shape_of(condition, products) && (condition.size() == 0 || is_one(condition, condition.size() - 1));
}

/// Why the match is not what the op computes; null when it is.
const char* hindrance(const AttentionParts& p, const Match& m) {
  const auto rank = m[p.query].type().rank();
  const TensorType& products = m[p.products].type();
  const auto& product = *m.node(p.products).as<ops::MatMul>();
  if (!is_real(products.element_type)) return "the scores are not floating-point";
  if (!rank || *rank < 3 || *rank > 5) return "the query has not three to five dimensions";
  if (m[p.key].type().rank() != rank || m[p.value].type().rank() != rank) return "the ranks differ";
  if (product.transpose_a) return "the query is transposed";
  if (!is_along_last(m.node(p.weights))) return "the SoftMax is not over the keys";
  for (const Pat& mask : {p.mask, p.condition})
    if (const Value found = m.find(mask); found && !keeps_shape_of(found.type().shape, products.shape))
      return "the mask may change the shape of the scores";
  if (const Value found = m.find(p.closed); found && !is_of_queries(found.type().shape, products.shape))
    return "the condition on the weights is not one on queries";
  if (*rank == 5 && !groups_of(p, m)) return "five dimensions that are not groups of queries with shared keys";
  if (!is_closed(m)) return "scores or weights are read elsewhere";
  return nullptr;
}

Replacement fused(const AttentionParts& p, const Match& m, Rewriter& rw) {
  if (const char* const why = hindrance(p, m)) return declined(why);
  double scale = 1;
  if (const Value factor = m.find(p.factor)) scale *= *number_of(factor);
  if (const Value divisor = m.find(p.divisor)) scale /= *number_of(divisor);
  Value query = without_factor(m[p.query], scale);
  Value key = without_factor(m[p.key], scale);
  Value value = m[p.value];
  if (!m.node(p.products).as<ops::MatMul>()->transpose_b) key = with_columns_as_rows(rw, key);
  Value mask = mask_of(p, m, rw);
  const auto groups = query.type().rank() == 5 ? groups_of(p, m) : std::nullopt;
  if (groups) {
    query = as_heads(rw, query, *groups);
    key = repeated_as_heads(rw, key, *groups);
    value = repeated_as_heads(rw, value, *groups);
    if (mask && mask.type().rank() == 5) mask = rw.create(ops::Squeeze{}, mask, rw.integers({1}));
  }
  std::vector<Value> inputs{query, key, value};
  const bool by_default = is_default_scale(scale, query.type().shape);
  if (mask || !by_default) inputs.push_back(mask ? mask : rw.scalar_like(query, 0));
  if (!by_default) inputs.push_back(rw.scalar_like(query, scale));
  Value made = rw.create(ops::ScaledDotProductAttention{}, inputs);
  if (groups)
    made = reshaped_to(rw, made, {0, groups->count, groups->queries, -1, value.type().shape[3].value()}, true);
  // A row without weights is 0 times the values.
  if (const Value closed = m.find(p.closed)) return rw.create(ops::Select{}, closed, rw.scalar_like(made, 0), made);
  if (!m.find(p.without_nan)) return made;
  // A query without keys has no weights: its row is 0 then, as PyTorch has it, and NaN in the op.
  return rw.create(ops::Select{}, rw.create(ops::IsNaN{}, made), rw.scalar_like(made, 0), made);
}

}  // namespace

/// For a target that was named and has the op: what runtimes and pipelines do with caches of keys and values begins at
/// it. Without a name the parts stay, which older releases read as well: runtimes since 2023.0 make one kernel of them.
void register_attention_fusion(PassRegistry& passes) {
  const AttentionParts parts;
  passes.add(
      graph_rewrite("AttentionFusion")
          .described("SoftMax(query * Transpose(key) * scale + mask) * value",
                     "ScaledDotProductAttention(query, key, value, mask, scale)",
                     "a target that was named has the op; three or four dimensions, or five for groups of queries that "
                     "share keys; scores and weights have no other readers; Select with less than -1e30 is a mask, "
                     "too; weights that are 0 for NaN, or for a condition on "
                     "queries, become results that are")
          .phase(Phase::back)
          .run_before({"LowerOpSets"})
          .when([](const Graph&, const PassContext& context) {
            const Settings& settings = context.settings;
            return settings.op_set_is_fixed && settings.is_read(kAttention.opset, kAttention.type);
          })
          .add(rewrite("AttentionOfParts").match(parts.root).rule([parts](const Match& m, Rewriter& rw) -> Replacement {
            return fused(parts, m, rw);
          })));
}

}  // namespace mo::transformations
