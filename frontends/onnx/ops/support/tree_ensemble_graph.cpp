#include <algorithm>
#include <cmath>
#include <set>

#include "frontends/onnx/ops/support/tree_ensemble.hpp"
#include "ops/mat_mul.hpp"
#include "ops/transpose.hpp"

namespace mo::onnx {
namespace {

/// A part of the comparisons: those of the nodes of one mode.
Expected<Term> compared_by_mode(Rewriter& rw, const Term& x, const Value& thresholds, std::string_view mode) {
  if (mode == "BRANCH_LEQ") return x.test(ops::LessEqual{}, thresholds);
  if (mode == "BRANCH_LT") return x.test(ops::Less{}, thresholds);
  if (mode == "BRANCH_GTE") return x.test(ops::GreaterEqual{}, thresholds);
  if (mode == "BRANCH_GT") return x.test(ops::Greater{}, thresholds);
  if (mode == "BRANCH_EQ") return x.test(ops::Equal{}, thresholds);
  if (mode == "BRANCH_NEQ") return x.test(ops::NotEqual{}, thresholds);
  return Term(rw, Value(), ElementType::dynamic);
}

Value flag_constant(Rewriter& rw, const std::vector<std::uint8_t>& numbers) {
  return rw.fold(ops::Convert{.destination_type = ElementType::boolean}, rw.constant(Tensor::vector(numbers)));
}

/// Whether each column is one of the members of its node: [N, T * I].
Expected<Term> found_among_members(Rewriter& rw, const Term& columns, const TreeTables& t) {
  std::size_t most = 1;
  for (const auto& set : t.members) most = std::max(most, set.size());
  std::vector<double> sets;
  for (const auto& set : t.members) {
    sets.insert(sets.end(), set.begin(), set.end());
    sets.resize(sets.size() + most - set.size(), NAN);  // which equals nothing
  }
  MO_ASSIGN(const Value members,
            real_constant(rw, columns.type(), {t.trees * t.nodes, static_cast<std::int64_t>(most)}, sets));
  const Term is_member = columns.unsqueezed({2}).test(ops::Equal{}, members);
  return reduced<ops::ReduceKind::logical_or>(is_member, {2}, false);
}

}  // namespace

Expected<Value> leaf_weights(Rewriter& rw, const Value& x, const TreeTables& t, ElementType type) {
  // The column of each inner node of each tree: [N, T * I].
  const Term columns(rw, rw.create(ops::Gather{}, x, rw.integers(t.features), rw.scalar<std::int64_t>(1)), type);
  MO_ASSIGN(const Value thresholds, real_constant(rw, type, {t.trees * t.nodes}, t.thresholds));
  std::set<std::string> modes(t.modes.begin(), t.modes.end());
  modes.erase("");
  if (modes.empty()) modes.insert("BRANCH_LEQ");
  std::optional<Term> yes;
  for (const std::string& mode : modes) {
    MO_ASSIGN(Term part, mode == kMemberMode ? found_among_members(rw, columns, t)
                                             : compared_by_mode(rw, columns, thresholds, mode));
    if (modes.size() > 1) {
      std::vector<std::uint8_t> chosen;
      for (const std::string& m : t.modes) chosen.push_back(m == mode ? 1 : 0);
      part = both(part, Term(rw, flag_constant(rw, chosen), ElementType::boolean));
    }
    yes.emplace(yes ? yes->test(ops::LogicalOr{}, part) : part);
  }
  if (std::any_of(t.tracks.begin(), t.tracks.end(), [](std::int64_t v) { return v != 0; })) {
    const Term missing = columns.test(ops::NotEqual{}, columns);  // NaN
    const std::vector<std::uint8_t> tracks(t.tracks.begin(), t.tracks.end());
    yes.emplace(yes->test(ops::LogicalOr{}, both(missing, Term(rw, flag_constant(rw, tracks), ElementType::boolean))));
  }
  // Of each leaf: true branches that were taken, less false ones that were not. It is reached when all of them and none
  // of these were.
  const Value answers =
      rw.create(ops::Reshape{.special_zero = true}, yes->as(type).value(), rw.integers({0, t.trees, t.nodes}));
  const Value by_tree = rw.create(ops::Transpose{}, answers, rw.integers({1, 0, 2}));
  MO_ASSIGN(const Value paths, real_constant(rw, type, {t.trees, t.nodes, t.leaves}, t.paths));
  MO_ASSIGN(const Value taken, real_constant(rw, type, {t.trees, 1, t.leaves}, t.taken));
  MO_ASSIGN(const Value weights, real_constant(rw, type, {t.trees, t.leaves, t.results}, t.weights));
  const Term sums(rw, rw.create(ops::MatMul{}, by_tree, paths), type);
  return rw.create(ops::MatMul{}, sums.test(ops::Equal{}, taken).as(type).value(), weights);
}

}  // namespace mo::onnx
