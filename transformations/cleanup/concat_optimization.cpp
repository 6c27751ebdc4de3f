#include <algorithm>
#include <map>

#include "ops/concat.hpp"
#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

/// A tensor by its node and port, whether or not they are still there.
using Key = std::pair<std::uint32_t, std::size_t>;
Key key_of(const Value& value) { return {value.node().id().index, value.index()}; }

/// A concatenation as it was before anything changed.
struct Joined {
  Value output;
  std::vector<Value> inputs;
  std::vector<Key> keys;  ///< of the inputs
  std::int64_t axis = 0;
};

std::vector<Joined> concatenations(Graph& graph) {
  std::vector<Joined> found;
  for (const auto& [node, concat] : graph.each<ops::Concat>()) {
    const auto rank = node.output_type().rank();
    const auto axis = rank ? normalize_axis(concat.axis, *rank) : std::nullopt;
    if (!axis || node.in_port_count() < 2) continue;
    Joined joined{node.output(), {}, {}, *axis};
    for (std::size_t i = 0; i < node.in_port_count() && node.input(i); ++i) {
      joined.inputs.push_back(node.input(i));
      joined.keys.push_back(key_of(node.input(i)));
    }
    if (joined.inputs.size() == node.in_port_count()) found.push_back(std::move(joined));
  }
  return found;
}

/// Concat(a, b), Concat(a, b, c) -> x = Concat(a, b), Concat(x, c): the tensors of a dense block are read once each,
/// and not by every layer after them. A run of inputs that is all of another concatenation along the same axis is read
/// from there, the longest one first.
class ConcatOptimization {
 public:
  explicit ConcatOptimization(Graph& graph) : rw_(graph), all_(concatenations(graph)) {
    for (std::size_t i = 0; i < all_.size(); ++i) by_first_[all_[i].keys.front()].push_back(i);
    const auto longer = [&](std::size_t a, std::size_t b) { return all_[a].inputs.size() > all_[b].inputs.size(); };
    for (auto& [first, candidates] : by_first_) std::stable_sort(candidates.begin(), candidates.end(), longer);
  }

  Expected<bool> run() {
    for (const Joined& whole : all_) {
      const std::vector<Value> inputs = shortened(whole);
      if (inputs.size() == whole.inputs.size()) continue;
      const Value made = rw_.create(ops::Concat{.axis = whole.axis}, inputs);
      replaced_.emplace(key_of(whole.output), made);
      rw_.replace(whole.output.node(), {made});
    }
    if (rw_.error()) return Error(*rw_.error());
    return rw_.has_changed();
  }

 private:
  /// What stands in the place of a tensor now.
  Value current(const Value& value) const {
    const auto found = replaced_.find(key_of(value));
    return found == replaced_.end() ? value : found->second;
  }

  /// The longest concatenation that is a part of `whole` from input `from` on. It cannot depend on `whole`, which reads
  /// all that it reads.
  const Joined* part_at(const Joined& whole, std::size_t from) const {
    const auto candidates = by_first_.find(whole.keys[from]);
    if (candidates == by_first_.end()) return nullptr;
    const std::size_t left = whole.inputs.size() - from;
    for (const std::size_t i : candidates->second) {
      const Joined& part = all_[i];
      if (part.axis != whole.axis || part.inputs.size() > left || part.inputs.size() == whole.inputs.size()) continue;
      if (std::equal(part.keys.begin(), part.keys.end(), whole.keys.begin() + static_cast<std::ptrdiff_t>(from)))
        return &part;
    }
    return nullptr;
  }

  std::vector<Value> shortened(const Joined& whole) const {
    std::vector<Value> inputs;
    for (std::size_t i = 0; i < whole.inputs.size();) {
      const Joined* part = part_at(whole, i);
      inputs.push_back(current(part ? part->output : whole.inputs[i]));
      i += part ? part->inputs.size() : 1;
    }
    return inputs;
  }

  Rewriter rw_;
  std::vector<Joined> all_;
  std::map<Key, std::vector<std::size_t>> by_first_;  ///< longest first
  std::map<Key, Value> replaced_;
};

}  // namespace

/// Off unless it is asked for (--enable_concat_optimization): it saves edges, and computes nothing else. Runs after all
/// that would look through a concatenation.
void register_concat_optimization(PassRegistry& passes) {
  passes.add(graph_pass("ConcatOptimization")
                 .disabled_by_default()
                 .run_after({"LayoutChange", "ConcatSimplification"})
                 .looks_for<ops::Concat>()
                 .run([](Graph& graph, PassContext&) { return ConcatOptimization(graph).run(); }));
}

}  // namespace mo::transformations
