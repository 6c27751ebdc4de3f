#include "frontends/onnx/ops/support/tree_ensemble.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace mo::onnx {
namespace {

using Integers = std::vector<std::int64_t>;
using TreeNodeKey = std::pair<std::int64_t, std::int64_t>;  // tree, node

constexpr std::string_view kLeafMode = "LEAF";

/// Nodes, leaves among them, by tree and number.
struct TreeAttributes {
  Integers tree;
  Integers id;
  Integers feature;
  Integers yes;
  Integers no;
  Integers tracks;
  std::vector<double> value;
  std::vector<std::string> mode;
  /// of the nodes with mode kMemberMode; no list when there are none
  std::vector<std::vector<double>> members = {};
};

/// What a leaf adds to a result.
struct LeafWeights {
  Integers tree;
  Integers id;
  Integers result;
  std::vector<double> weight;
};

Diagnostic malformed_tree(const FrameworkNode& node, std::string_view what, const TreeNodeKey& key) {
  return node.error("MO-ONNX-0453", "{} (tree {}, node {})", what, key.first, key.second)
      .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
}

Expected<TreeAttributes> read_tree_attributes(const FrameworkNode& node) {
  TreeAttributes a{node.attr("nodes_treeids", Integers{}),
                   node.attr("nodes_nodeids", Integers{}),
                   node.attr("nodes_featureids", Integers{}),
                   node.attr("nodes_truenodeids", Integers{}),
                   node.attr("nodes_falsenodeids", Integers{}),
                   node.attr("nodes_missing_value_tracks_true", Integers{}),
                   {},
                   node.attr("nodes_modes", std::vector<std::string>{})};
  MO_ASSIGN(a.value, tree_numbers(node, "nodes_values"));
  const std::size_t count = a.tree.size();
  if (a.tracks.empty()) a.tracks.assign(count, 0);
  if (count == 0 || a.id.size() != count || a.feature.size() != count || a.yes.size() != count ||
      a.no.size() != count || a.tracks.size() != count || a.value.size() != count || a.mode.size() != count)
    return node.error("MO-ONNX-0452", "the lists that describe {} nodes have different lengths", count)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return a;
}

/// One tree, as found by walking from its root.
struct DecisionTree {
  struct Leaf {
    std::size_t node;
    std::vector<std::pair<std::size_t, bool>> path;  ///< place among `inner`, branch
  };
  std::vector<std::size_t> inner;
  std::vector<Leaf> leaves;
};

/// Ways to leaves are stored: their lengths are limited together.
constexpr std::size_t kMostSteps = std::size_t{1} << 22;

Expected<DecisionTree> walk_tree(const FrameworkNode& node, const TreeAttributes& a,
                                 const std::map<TreeNodeKey, std::size_t>& places, std::size_t root,
                                 std::size_t& steps) {
  struct Step {
    std::size_t node;
    std::vector<std::pair<std::size_t, bool>> path;
  };
  DecisionTree tree;
  std::set<std::size_t> seen;
  std::vector<Step> open = {{root, {}}};
  while (!open.empty()) {
    Step step = std::move(open.back());
    open.pop_back();
    const std::size_t at = step.node;
    if (!seen.insert(at).second) return malformed_tree(node, "a node has two parents", {a.tree[at], a.id[at]});
    steps += step.path.size() + 1;
    if (steps > kMostSteps)
      return node.error("MO-ONNX-0454", "the trees are too deep to be spelled out")
          .hint("train a smaller model, or run it outside of the IR");
    if (a.mode[at] == kLeafMode) {
      tree.leaves.push_back({at, std::move(step.path)});
      continue;
    }
    const std::size_t place = tree.inner.size();
    tree.inner.push_back(at);
    for (const bool yes : {true, false}) {
      const TreeNodeKey key{a.tree[at], yes ? a.yes[at] : a.no[at]};
      const auto child = places.find(key);
      if (child == places.end()) return malformed_tree(node, "a branch leads to a node that does not exist", key);
      Step next{child->second, step.path};
      next.path.emplace_back(place, yes);
      open.push_back(std::move(next));
    }
  }
  return tree;
}

Expected<std::vector<DecisionTree>> walk_trees(const FrameworkNode& node, const TreeAttributes& a,
                                               const std::map<TreeNodeKey, std::size_t>& places) {
  std::set<std::size_t> children;
  for (std::size_t i = 0; i < a.tree.size(); ++i) {
    if (a.mode[i] == kLeafMode) continue;
    for (const std::int64_t child : {a.yes[i], a.no[i]})
      if (const auto it = places.find({a.tree[i], child}); it != places.end()) children.insert(it->second);
  }
  std::set<std::int64_t> rooted;
  std::vector<DecisionTree> trees;
  std::size_t steps = 0;
  std::size_t visited = 0;
  for (std::size_t i = 0; i < a.tree.size(); ++i) {
    if (children.contains(i)) continue;
    if (!rooted.insert(a.tree[i]).second) return malformed_tree(node, "a tree has two roots", {a.tree[i], a.id[i]});
    MO_ASSIGN(DecisionTree tree, walk_tree(node, a, places, i, steps));
    visited += tree.inner.size() + tree.leaves.size();
    trees.push_back(std::move(tree));
  }
  if (visited != a.tree.size())
    return malformed_tree(node, "some nodes belong to no tree with a root", {a.tree.front(), a.id.front()});
  return trees;
}

Expected<TreeTables> tabulated(const FrameworkNode& node, const TreeAttributes& a, const LeafWeights& added,
                               std::int64_t results) {
  std::map<TreeNodeKey, std::size_t> places;
  for (std::size_t i = 0; i < a.tree.size(); ++i) {
    if (!places.emplace(TreeNodeKey{a.tree[i], a.id[i]}, i).second)
      return malformed_tree(node, "duplicate node", {a.tree[i], a.id[i]});
    static constexpr std::string_view kModes[] = {"BRANCH_LEQ", "BRANCH_LT",  "BRANCH_GTE", "BRANCH_GT",
                                                  "BRANCH_EQ",  "BRANCH_NEQ", kMemberMode,  kLeafMode};
    if (std::find(std::begin(kModes), std::end(kModes), a.mode[i]) == std::end(kModes) ||
        (a.feature[i] < 0 && a.mode[i] != kLeafMode))
      return malformed_tree(node, "a node has an unknown mode or a negative feature", {a.tree[i], a.id[i]});
  }
  MO_ASSIGN(const std::vector<DecisionTree> trees, walk_trees(node, a, places));

  TreeTables t;
  t.results = results;
  t.trees = static_cast<std::int64_t>(trees.size());
  for (const DecisionTree& tree : trees) {
    t.nodes = std::max(t.nodes, static_cast<std::int64_t>(tree.inner.size()));
    t.leaves = std::max(t.leaves, static_cast<std::int64_t>(tree.leaves.size()));
  }
  const auto fits = [&](std::int64_t width) { return t.trees <= kMostTreeElements / width / t.leaves; };
  if (results < 1 || t.nodes > kMostTreeElements || t.leaves > kMostTreeElements || results > kMostTreeElements ||
      t.leaves > kMostTreeElements / std::max(t.nodes, results) || !fits(t.nodes) || !fits(results))
    return node
        .error("MO-ONNX-0454",
               "{} trees of up to {} inner nodes and {} leaves, with {} results, need tables of more than {} values",
               t.trees, t.nodes, t.leaves, results, kMostTreeElements)
        .hint("train a smaller model (max_depth, n_estimators), or run it outside of the IR");

  const auto inner_count = static_cast<std::size_t>(t.trees * t.nodes);
  const auto leaf_count = static_cast<std::size_t>(t.trees * t.leaves);
  t.features.assign(inner_count, 0);
  t.thresholds.assign(inner_count, 0);
  t.modes.assign(inner_count, "");
  t.tracks.assign(inner_count, 0);
  t.members.assign(a.members.empty() ? 0 : inner_count, {});
  t.paths.assign(inner_count * static_cast<std::size_t>(t.leaves), 0);
  t.taken.assign(leaf_count, static_cast<double>(t.nodes + 1));
  t.exists.assign(leaf_count, 0);
  t.weights.assign(leaf_count * static_cast<std::size_t>(results), 0);
  t.has_weight.assign(t.weights.size(), 0);
  std::map<std::size_t, std::size_t> leaf_places;
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const std::size_t first_inner = i * static_cast<std::size_t>(t.nodes);
    const std::size_t first_leaf = i * static_cast<std::size_t>(t.leaves);
    for (std::size_t k = 0; k < trees[i].inner.size(); ++k) {
      const std::size_t from = trees[i].inner[k];
      t.features[first_inner + k] = a.feature[from];
      t.thresholds[first_inner + k] = a.value[from];
      t.modes[first_inner + k] = a.mode[from];
      t.tracks[first_inner + k] = a.tracks[from] != 0;
      if (!a.members.empty()) t.members[first_inner + k] = a.members[from];
    }
    for (std::size_t k = 0; k < trees[i].leaves.size(); ++k) {
      const DecisionTree::Leaf& leaf = trees[i].leaves[k];
      leaf_places.emplace(leaf.node, first_leaf + k);
      t.exists[first_leaf + k] = 1;
      t.taken[first_leaf + k] = 0;
      for (const auto& [inner, yes] : leaf.path) {
        t.paths[(first_inner + inner) * static_cast<std::size_t>(t.leaves) + k] = yes ? 1 : -1;
        t.taken[first_leaf + k] += yes ? 1 : 0;
      }
    }
  }

  for (std::size_t i = 0; i < added.weight.size(); ++i) {
    const auto at = places.find({added.tree[i], added.id[i]});
    const auto leaf = at == places.end() ? leaf_places.end() : leaf_places.find(at->second);
    if (leaf == leaf_places.end() || added.result[i] < 0 || added.result[i] >= results)
      return malformed_tree(node, "a weight is for no leaf, or for no result", {added.tree[i], added.id[i]});
    const std::size_t place =
        leaf->second * static_cast<std::size_t>(results) + static_cast<std::size_t>(added.result[i]);
    t.weights[place] += added.weight[i];
    t.has_weight[place] = 1;
  }
  return t;
}

/// The numbers of a tensor, which is required.
Expected<std::vector<double>> tensor_numbers(const FrameworkNode& node, std::string_view name) {
  const auto tensor = node.required<Tensor>(name);
  if (node.failure()) return *node.failure();
  return tensor.empty() ? std::vector<double>{} : to_reals(tensor);
}

/// The lists of TreeEnsemble-5: branches lead to inner nodes or to leaves, each numbered by itself.
struct EnsembleLists {
  Integers roots, feature, yes, no, yes_is_leaf, no_is_leaf, tracks, leaf_target;
  std::vector<double> mode, split, leaf_weight;
  std::vector<std::vector<double>> members;  ///< as long as the nodes, when there are any
};

/// Sets of numbers, one after the other, each ended by NaN: one for each node with BRANCH_MEMBER, in their order.
Expected<std::vector<std::vector<double>>> read_members(const FrameworkNode& node, const std::vector<double>& modes,
                                                        double member_mode) {
  std::vector<std::vector<double>> members(modes.size());
  std::vector<double> numbers;
  if (node.has("membership_values")) { MO_ASSIGN(numbers, tensor_numbers(node, "membership_values")); }
  auto next = numbers.begin();
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i] != member_mode) continue;
    const auto end = std::find_if(next, numbers.end(), [](double v) { return std::isnan(v); });
    members[i].assign(next, end);
    if (end == numbers.end() || members[i].empty())
      return node.error("MO-ONNX-0452", "membership_values has no set for node {}", i)
          .hint("each node that asks for members has a set, ended by NaN");
    next = end + 1;
  }
  return members;
}

constexpr std::string_view kEnsembleModes[] = {"BRANCH_LEQ", "BRANCH_LT",  "BRANCH_GTE", "BRANCH_GT",
                                               "BRANCH_EQ",  "BRANCH_NEQ", kMemberMode};

Expected<EnsembleLists> read_ensemble(const FrameworkNode& node) {
  EnsembleLists lists;
  for (const auto& [name, list] : {std::pair<std::string_view, Integers*>{"tree_roots", &lists.roots},
                                   {"nodes_featureids", &lists.feature},
                                   {"nodes_truenodeids", &lists.yes},
                                   {"nodes_falsenodeids", &lists.no},
                                   {"nodes_trueleafs", &lists.yes_is_leaf},
                                   {"nodes_falseleafs", &lists.no_is_leaf},
                                   {"leaf_targetids", &lists.leaf_target}})
    *list = node.required<Integers>(name);
  lists.tracks = node.attr("nodes_missing_value_tracks_true", Integers{});
  MO_ASSIGN(lists.mode, tensor_numbers(node, "nodes_modes"));
  MO_ASSIGN(lists.split, tensor_numbers(node, "nodes_splits"));
  MO_ASSIGN(lists.leaf_weight, tensor_numbers(node, "leaf_weights"));
  const std::size_t count = lists.feature.size();
  if (lists.tracks.empty()) lists.tracks.assign(count, 0);
  bool fits =
      lists.mode.size() == count && lists.split.size() == count && lists.leaf_weight.size() == lists.leaf_target.size();
  for (const Integers* list : {&lists.yes, &lists.no, &lists.yes_is_leaf, &lists.no_is_leaf, &lists.tracks})
    fits &= list->size() == count;
  if (!fits)
    return node
        .error("MO-ONNX-0452", "the lists that describe {} nodes and {} leaves have different lengths", count,
               lists.leaf_target.size())
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  constexpr double kLastMode = std::size(kEnsembleModes) - 1;
  for (std::size_t i = 0; i < count; ++i)
    if (!(lists.mode[i] >= 0 && lists.mode[i] <= kLastMode) || lists.feature[i] < 0)
      return malformed_tree(node, "a node has an unknown mode or a negative feature",
                            {0, static_cast<std::int64_t>(i)});
  MO_ASSIGN(lists.members, read_members(node, lists.mode, kLastMode));
  return lists;
}

}  // namespace

Expected<std::vector<double>> tree_numbers(const FrameworkNode& node, const std::string& name) {
  if (const auto tensor = node.optional_attr<Tensor>(name + "_as_tensor"); tensor && !tensor->empty())
    return to_reals(*tensor);
  return node.attr(name, std::vector<double>{});
}

Expected<TreeTables> read_trees(const FrameworkNode& node, const std::string& prefix, std::int64_t results) {
  MO_ASSIGN(const TreeAttributes attributes, read_tree_attributes(node));
  LeafWeights added{node.attr(prefix + "_treeids", Integers{}),
                    node.attr(prefix + "_nodeids", Integers{}),
                    node.attr(prefix + "_ids", Integers{}),
                    {}};
  MO_ASSIGN(added.weight, tree_numbers(node, prefix + "_weights"));
  const std::size_t count = added.weight.size();
  if (added.tree.size() != count || added.id.size() != count || added.result.size() != count)
    return node.error("MO-ONNX-0452", "the lists that describe {} weights have different lengths", count)
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return tabulated(node, attributes, added, results);
}

Expected<TreeTables> read_tree_ensemble(const FrameworkNode& node, std::int64_t results) {
  MO_ASSIGN(const EnsembleLists lists, read_ensemble(node));
  TreeAttributes a;
  LeafWeights added;
  const bool has_members =
      std::any_of(lists.members.begin(), lists.members.end(), [](const auto& set) { return !set.empty(); });
  const auto inner_count = static_cast<std::int64_t>(lists.feature.size());
  const auto put = [&](std::int64_t tree, std::int64_t id) {
    a.tree.push_back(tree);
    a.id.push_back(id);
    for (Integers* list : {&a.feature, &a.yes, &a.no, &a.tracks}) list->push_back(0);
    a.value.push_back(0);
    a.mode.emplace_back(kLeafMode);
    if (has_members) a.members.emplace_back();
  };
  // A leaf becomes a node after the inner ones, once for each branch that leads to it.
  std::int64_t next_leaf = inner_count;
  std::vector<bool> reached(lists.feature.size(), false);
  for (std::size_t root = 0; root < lists.roots.size(); ++root) {
    const auto tree = static_cast<std::int64_t>(root);
    std::vector<std::int64_t> open = {lists.roots[root]};
    while (!open.empty()) {
      const std::int64_t id = open.back();
      open.pop_back();
      if (id < 0 || id >= inner_count)
        return malformed_tree(node, "a branch leads to a node that does not exist", {tree, id});
      const auto at = static_cast<std::size_t>(id);
      if (reached[at]) return malformed_tree(node, "a node has two parents", {tree, id});
      reached[at] = true;
      put(tree, id);
      const std::size_t place = a.id.size() - 1;
      a.feature[place] = lists.feature[at];
      a.tracks[place] = lists.tracks[at];
      a.value[place] = lists.split[at];
      a.mode[place] = kEnsembleModes[static_cast<std::size_t>(lists.mode[at])];
      if (has_members) a.members[place] = lists.members[at];
      for (const bool yes : {true, false}) {
        const std::int64_t to = (yes ? lists.yes : lists.no)[at];
        if ((yes ? lists.yes_is_leaf : lists.no_is_leaf)[at] == 0) {
          (yes ? a.yes : a.no)[place] = to;
          open.push_back(to);
          continue;
        }
        if (to < 0 || to >= static_cast<std::int64_t>(lists.leaf_weight.size()))
          return malformed_tree(node, "a branch leads to a leaf that does not exist", {tree, to});
        (yes ? a.yes : a.no)[place] = next_leaf;
        put(tree, next_leaf);
        added.tree.push_back(tree);
        added.id.push_back(next_leaf++);
        added.result.push_back(lists.leaf_target[static_cast<std::size_t>(to)]);
        added.weight.push_back(lists.leaf_weight[static_cast<std::size_t>(to)]);
      }
    }
  }
  if (a.id.empty())
    return node.error("MO-ONNX-0452", "there is no tree")
        .hint("the node is invalid: export the model again, with a newer exporter if it happens again");
  return tabulated(node, a, added, results);
}

}  // namespace mo::onnx
