#include "phases/middle/layout/labels.hpp"

#include <algorithm>
#include <array>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <numeric>
#include <span>

namespace mo::phases::layout {
namespace {

using Vertex = LabelProblem::Vertex;
constexpr Vertex kNone = 0xFFFFFFFFU;

/// Groups that must have one label in some best labelling, merged into one.
class Contraction {
 public:
  explicit Contraction(const LabelProblem& problem)
      : problem_(problem),
        parent_(problem.vertex_count()),
        touching_(problem.vertex_count()),
        alive_(problem.tensors().size(), true) {
    std::iota(parent_.begin(), parent_.end(), 0);
    const auto& tensors = problem.tensors();
    for (std::uint32_t t = 0; t < tensors.size(); ++t) {
      touch(tensors[t].producer, t);
      for (const Vertex c : problem.consumers(tensors[t])) touch(c, t);
    }
    open_.reserve(problem.vertex_count());
    for (Vertex v = 2; v < problem.vertex_count(); ++v) open_.push_back(v);
    while (!open_.empty()) {
      const Vertex v = open_.back();
      open_.pop_back();
      if (find(v) == v) visit(v);
    }
  }

  Vertex find(Vertex v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  /// Still between different groups, as far as that was looked at.
  bool alive(std::uint32_t tensor) const { return alive_[tensor]; }

 private:
  static bool pinned(Vertex v) { return v < 2; }
  /// Tensors between a group and others, as far as there are few.
  class Few {
   public:
    static constexpr std::uint32_t kMost = 4;
    bool are_too_many() const { return count_ > kMost; }
    bool end_with(std::uint32_t tensor) const {
      return count_ > 0 && !are_too_many() && tensors_[count_ - 1] == tensor;
    }
    void add(std::uint32_t tensor) {
      if (count_ < kMost) tensors_[count_] = tensor;
      if (count_ <= kMost) ++count_;
    }
    std::span<std::uint32_t> list() { return {tensors_.data(), count_}; }
    void cut(std::size_t count) { count_ = static_cast<std::uint32_t>(count); }

   private:
    std::array<std::uint32_t, kMost> tensors_{};
    std::uint32_t count_ = 0;
  };

  void touch(Vertex v, std::uint32_t tensor) {
    if (!pinned(v) && !touching_[v].end_with(tensor)) touching_[v].add(tensor);
  }
  /// The other end of a tensor with one reader; none for other tensors.
  Vertex other_end(std::uint32_t tensor, Vertex v) {
    const LabelProblem::Tensor& t = problem_.tensors()[tensor];
    if (t.consumer_count != 1) return kNone;
    const Vertex producer = find(t.producer);
    return producer == v ? find(problem_.consumers(t).front()) : producer;
  }

  /// Which of two equally dear neighbours a group goes with: rather a channels-first one, rather the one that it reads.
  int preference(std::uint32_t tensor, Vertex v) {
    const Vertex end = other_end(tensor, v);
    if (end == kNone) return 0;
    if (pinned(end)) return end == LabelProblem::kChannelsFirst ? 4 : 1;
    return find(problem_.tensors()[tensor].producer) == v ? 2 : 3;
  }

  /// A group with one or two tensors takes the label of its neighbour over the costlier one, if that has only one
  /// reader: the other label would cost that much and save at most the cheaper one. A reader of a single tensor takes
  /// the label of the producer.
  void visit(Vertex v) {
    if (touching_[v].are_too_many()) return;
    const std::span<std::uint32_t> all = touching_[v].list();
    auto last = std::remove_if(all.begin(), all.end(), [&](std::uint32_t t) {
      if (!alive_[t]) return true;
      if (problem_.tensors()[t].consumer_count == 1 && other_end(t, v) == v) alive_[t] = false;
      return !alive_[t];
    });
    std::sort(all.begin(), last);
    last = std::unique(all.begin(), last);
    touching_[v].cut(static_cast<std::size_t>(last - all.begin()));
    const std::span<const std::uint32_t> tensors = touching_[v].list();
    if (tensors.empty() || tensors.size() > 2) return;
    const auto cost = [&](std::uint32_t t) { return problem_.tensors()[t].cost; };
    std::uint32_t dear = tensors.front();
    std::uint32_t cheap = tensors.back();
    if (cost(dear) < cost(cheap) || (cost(dear) == cost(cheap) && preference(dear, v) < preference(cheap, v)))
      std::swap(dear, cheap);
    Vertex into = other_end(dear, v);
    const Vertex producer = find(problem_.tensors()[dear].producer);
    if (into == kNone && tensors.size() == 1 && producer != v) into = producer;
    if (into == kNone) return;
    parent_[v] = into;
    if (problem_.tensors()[dear].consumer_count == 1) alive_[dear] = false;
    if (!pinned(into)) {
      if (cheap != dear) touching_[into].add(cheap);
      open_.push_back(into);
    }
    touching_[v].cut(0);
  }

  const LabelProblem& problem_;
  std::vector<Vertex> parent_;
  std::vector<Few> touching_;
  std::vector<bool> alive_;
  std::vector<Vertex> open_;
};

using Network = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                      boost::property<boost::edge_index_t, std::size_t>>;
using Edge = boost::graph_traits<Network>::edge_descriptor;

/// A flow network whose source is kOriginal and whose sink is kChannelsFirst.
class Flow {
 public:
  /// No capacity is larger, and sums of all finite ones are smaller.
  static constexpr std::int64_t kInfinite = std::int64_t{1} << 61;

  Vertex add_vertex() { return vertex_count_++; }
  /// A capacity in each direction.
  void connect(Vertex a, Vertex b, std::int64_t forth, std::int64_t back) {
    pairs_.push_back(a < b ? Pair{a, b, forth, back} : Pair{b, a, back, forth});
  }
  /// For each vertex whether it is on the side of the source when that side is as small as it can be.
  std::vector<bool> source_side() {
    build();
    const auto index = boost::get(boost::edge_index, network_);
    const auto vertex_index = boost::get(boost::vertex_index, network_);
    const std::size_t n = boost::num_vertices(network_);
    std::vector<std::int64_t> residual(capacity_.size());
    std::vector<Edge> predecessor(n);
    std::vector<boost::default_color_type> color(n);
    std::vector<std::int64_t> distance(n);
    boost::boykov_kolmogorov_max_flow(network_, boost::make_iterator_property_map(capacity_.begin(), index),
                                      boost::make_iterator_property_map(residual.begin(), index),
                                      boost::make_iterator_property_map(reverse_.begin(), index),
                                      boost::make_iterator_property_map(predecessor.begin(), vertex_index),
                                      boost::make_iterator_property_map(color.begin(), vertex_index),
                                      boost::make_iterator_property_map(distance.begin(), vertex_index), vertex_index,
                                      LabelProblem::kOriginal, LabelProblem::kChannelsFirst);
    std::vector<bool> side(n);
    for (std::size_t v = 0; v < n; ++v) side[v] = color[v] == boost::black_color;
    return side;
  }

 private:
  struct Pair {
    Vertex a;
    Vertex b;
    std::int64_t forth;
    std::int64_t back;
  };

  /// One edge each way for every pair: the algorithm takes no parallel ones.
  void build() {
    std::sort(pairs_.begin(), pairs_.end(),
              [](const Pair& x, const Pair& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
    network_ = Network(vertex_count_);
    for (std::size_t i = 0; i < pairs_.size();) {
      Pair sum{pairs_[i].a, pairs_[i].b, 0, 0};
      for (; i < pairs_.size() && pairs_[i].a == sum.a && pairs_[i].b == sum.b; ++i) {
        sum.forth = std::min(kInfinite, sum.forth + pairs_[i].forth);
        sum.back = std::min(kInfinite, sum.back + pairs_[i].back);
      }
      const Edge there = boost::add_edge(sum.a, sum.b, capacity_.size(), network_).first;
      const Edge again = boost::add_edge(sum.b, sum.a, capacity_.size() + 1, network_).first;
      capacity_.insert(capacity_.end(), {sum.forth, sum.back});
      reverse_.insert(reverse_.end(), {again, there});
    }
  }

  Vertex vertex_count_ = 2;
  std::vector<Pair> pairs_;
  Network network_;
  std::vector<std::int64_t> capacity_;
  std::vector<Edge> reverse_;
};

/// Groups that tensors connect, in any number of steps, with kChannelsFirst.
std::vector<bool> near_channels_first(const LabelProblem& problem) {
  std::vector<Vertex> parent(problem.vertex_count());
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&](Vertex v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const LabelProblem::Tensor& t : problem.tensors())
    for (const Vertex c : problem.consumers(t))
      // What is pinned connects nothing.
      if (c != LabelProblem::kOriginal && t.producer != LabelProblem::kOriginal) parent[find(c)] = find(t.producer);
  std::vector<bool> near(problem.vertex_count());
  for (Vertex v = 0; v < near.size(); ++v) near[v] = find(v) == find(LabelProblem::kChannelsFirst);
  return near;
}

}  // namespace

void LabelProblem::add_tensor(Vertex producer, std::uint64_t cost, std::span<const Vertex> consumers) {
  const auto first = static_cast<std::uint32_t>(consumers_.size());
  for (const Vertex c : consumers)
    if (c != producer) consumers_.push_back(c);
  std::sort(consumers_.begin() + first, consumers_.end());
  consumers_.erase(std::unique(consumers_.begin() + first, consumers_.end()), consumers_.end());
  const auto count = static_cast<std::uint32_t>(consumers_.size()) - first;
  if (count > 0 && cost > 0)
    tensors_.push_back({producer, first, count, cost});
  else
    consumers_.resize(first);
}

std::uint64_t LabelProblem::cost(const std::vector<Label>& labels) const {
  std::uint64_t sum = 0;
  for (const Tensor& t : tensors_) {
    const auto all = consumers(t);
    if (std::any_of(all.begin(), all.end(), [&](Vertex c) { return labels[c] != labels[t.producer]; })) sum += t.cost;
  }
  return sum;
}

std::vector<Label> cheapest_labels(const LabelProblem& problem) {
  const std::uint32_t count = problem.vertex_count();
  std::vector<Label> labels(count, Label::original);
  labels[LabelProblem::kChannelsFirst] = Label::channels_first;

  Contraction contraction(problem);
  Flow flow;
  std::vector<Vertex> place(count, kNone);
  place[LabelProblem::kOriginal] = LabelProblem::kOriginal;
  place[LabelProblem::kChannelsFirst] = LabelProblem::kChannelsFirst;
  const auto vertex_of = [&](Vertex v) {
    const Vertex root = contraction.find(v);
    if (place[root] == kNone) place[root] = flow.add_vertex();
    return place[root];
  };
  // Sums stay far from overflow, whatever shapes a model claims to have.
  const std::uint64_t limit = static_cast<std::uint64_t>(Flow::kInfinite) / (problem.tensors().size() + 1);
  std::vector<Vertex> readers;
  for (std::uint32_t t = 0; t < problem.tensors().size(); ++t) {
    if (!contraction.alive(t)) continue;
    const LabelProblem::Tensor& tensor = problem.tensors()[t];
    const Vertex producer = vertex_of(tensor.producer);
    readers.clear();
    for (const Vertex c : problem.consumers(tensor))
      if (const Vertex v = vertex_of(c); v != producer) readers.push_back(v);
    std::sort(readers.begin(), readers.end());
    readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    if (readers.empty()) continue;
    const auto cost = static_cast<std::int64_t>(std::min(tensor.cost, limit));
    if (readers.size() == 1) {
      flow.connect(producer, readers.front(), cost, cost);
      continue;
    }
    // One helper for each direction of the Transpose that all readers share.
    const Vertex to_channels_first = flow.add_vertex();
    const Vertex to_original = flow.add_vertex();
    flow.connect(producer, to_channels_first, cost, 0);
    flow.connect(to_original, producer, cost, 0);
    for (const Vertex reader : readers) {
      flow.connect(to_channels_first, reader, Flow::kInfinite, 0);
      flow.connect(reader, to_original, Flow::kInfinite, 0);
    }
  }
  const std::vector<bool> original = flow.source_side();
  const std::vector<bool> near = near_channels_first(problem);
  for (Vertex v = 2; v < count; ++v) {
    const Vertex at = place[contraction.find(v)];
    if (near[v] && at != kNone && !original[at]) labels[v] = Label::channels_first;
  }
  return labels;
}

}  // namespace mo::phases::layout
