#include <algorithm>
#include <string_view>

#include "transformations/support/matching.hpp"

namespace mo::transformations {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29);
}

/// Numbers by hash, in one array: a million nodes do not want a million allocations.
class HashIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  /// The number with this hash for which `same(number)` holds; adds `number` and gives kNone when there is none. What
  /// differs in nothing that the hash knows is looked at a few times only.
  template <class Fn>
  std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t number, Fn same) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    for (std::size_t i = 0; i < kMostProbes; ++i) {
      Slot& slot = slots_[(hash + i) & (slots_.size() - 1)];
      if (slot.number == kNone) {
        slot = {hash, number};
        ++count_;
        return kNone;
      }
      if (slot.hash == hash && same(slot.number)) return slot.number;
    }
    return kNone;
  }

 private:
  static constexpr std::size_t kMostProbes = 16;
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t number = kNone;
  };
  void grow() {
    const std::vector<Slot> before =
        std::exchange(slots_, std::vector<Slot>(std::max<std::size_t>(64, 2 * slots_.size())));
    for (const Slot& slot : before)
      for (std::size_t i = 0; slot.number != kNone && i < kMostProbes; ++i)
        if (Slot& to = slots_[(slot.hash + i) & (slots_.size() - 1)]; to.number == kNone) {
          to = slot;
          break;
        }
  }
  std::vector<Slot> slots_;
  std::size_t count_ = 0;
};

/// Which tensors are equal: nodes are looked at after their inputs, and one that computes what an earlier one computes
/// is found.
class Expressions {
 public:
  explicit Expressions(const Graph& graph)
      : graph_(&graph), same_as_(graph.value_capacity(), HashIndex::kNone), waits_for_(graph.node_capacity()) {}

  /// Small constants are equal by content; they stay where they are.
  void add_constant(const Node& node) {
    constexpr std::uint64_t kMostBytes = 256;
    const Tensor& tensor = node.as<Const>()->value;
    if (tensor.byte_size() > kMostBytes || !tensor.in_memory()) return;
    const std::span<const std::byte> bytes = tensor.bytes();
    const std::uint64_t content =
        std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const std::uint32_t found = constant_index_.find_or_add(
        mixed(content, static_cast<std::uint64_t>(tensor.element_type())),
        static_cast<std::uint32_t>(constants_.size()), [&](std::uint32_t i) {
          const Tensor& other = constants_[i].tensor;
          return other.element_type() == tensor.element_type() && other.shape() == tensor.shape() &&
                 std::ranges::equal(other.bytes(), bytes);
        });
    if (found != HashIndex::kNone)
      same_as_[node.output().id().index] = constants_[found].value;
    else
      constants_.push_back({tensor, node.output().id().index});
  }

  /// Returns an earlier node that has the same op, attributes and inputs; remembers `node` otherwise. The only reader
  /// of a tensor has no duplicate: it is remembered once all tensors that it reads alone have other readers, see
  /// `merge`.
  Node find_or_remember(const Node& node) {
    std::uint32_t& count = waits_for_[node.id().index];
    count = tensors_read_alone(node);
    return count > 0 ? Node() : find_or_add(node);
  }

  /// The readers of `node` are about to read `same`. O(outputs): only a tensor that had one reader matters to it.
  void merge(const Node& node, const Node& same) {
    for (std::size_t i = 0; i < node.out_port_count(); ++i) {
      const OutPort from = node.out_port(i);
      const OutPort to = same.out_port(i);
      if (from.disconnected() || to.disconnected()) continue;
      for (const OutPort& port : {from, to})
        if (port.has_one_destination()) gets_another_reader(port.get_destinations().front().node());
    }
  }

  /// Remembers the nodes that waited for the merging.
  void remember_ready() {
    for (const Node& node : ready_)
      if (node.alive()) find_or_add(node);
    ready_.clear();
  }

 private:
  static std::uint32_t tensors_read_alone(const Node& node) {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < node.in_port_count(); ++i)
      if (const Value source = node.input(i); source && source.has_one_destination() && !source.node().is<Const>())
        ++count;
    return count;
  }

  /// A tensor that `reader` read alone.
  void gets_another_reader(const Node& reader) {
    if (reader.id().index >= waits_for_.size() || waits_for_[reader.id().index] == 0) return;
    if (--waits_for_[reader.id().index] == 0) ready_.push_back(reader);
  }

  Node find_or_add(const Node& node) {
    std::uint64_t hash = hash_of(node.op_type());
    for (std::size_t i = 0; i < node.in_port_count(); ++i) hash = mixed(hash, input(node, i));
    const std::uint32_t found = node_index_.find_or_add(hash, node.id().index, [&](std::uint32_t i) {
      const Node other = graph_->node(NodeId{i});
      return other.alive() && equal(other, node);
    });
    return found == HashIndex::kNone ? Node() : graph_->node(NodeId{found});
  }

  struct Constant {
    Tensor tensor;  ///< kept: the node may be gone when the next equal one comes
    std::uint32_t value;
  };

  std::uint64_t hash_of(const OpType& type) {
    if (&type != last_type_) {  // neighbours are often of one op
      last_type_ = &type;
      last_hash_ = mixed(std::hash<std::string_view>()(type.name), static_cast<std::uint64_t>(type.version));
    }
    return last_hash_;
  }

  std::uint32_t input(const Node& node, std::size_t i) const {
    const Value source = node.input(i);
    if (!source) return HashIndex::kNone;
    const std::uint32_t id = source.id().index;
    return id < same_as_.size() && same_as_[id] != HashIndex::kNone ? same_as_[id] : id;
  }

  bool equal(const Node& a, const Node& b) const {
    if (!a.op_type().same_op(b.op_type()) || a.in_port_count() != b.in_port_count() ||
        a.out_port_count() != b.out_port_count())
      return false;
    for (std::size_t i = 0; i < a.in_port_count(); ++i)
      if (input(a, i) != input(b, i)) return false;
    for (std::size_t i = 0; i < a.out_port_count(); ++i)
      if (a.output_type(i).element_type != b.output_type(i).element_type) return false;
    return same_attributes(a.op_type(), a.payload(), b.payload());
  }

  const Graph* graph_;
  std::vector<std::uint32_t> same_as_;  ///< by value id, for constants: an equal one
  /// by node id, of nodes that were looked at: tensors that they read alone
  std::vector<std::uint32_t> waits_for_;
  std::vector<Node> ready_;
  std::vector<Constant> constants_;
  HashIndex constant_index_;
  HashIndex node_index_;
  const OpType* last_type_ = nullptr;
  std::uint64_t last_hash_ = 0;
};

/// Ops whose result follows from attributes and inputs. What a plugin or a
/// framework means by an op known by name only is not known.
bool is_function(const Node& node) {
  const OpType& type = node.op_type();
  if (type.dynamic || type.traits.stateful || type.traits.owns_bodies || node.out_port_count() == 0 || node.rt_info())
    return false;
  return !node.is<Parameter>() && !node.is<Result>() && node.in_port_count() > 0;
}

/// An output of the model keeps its own name.
bool is_read_by_result(const Node& node) {
  const std::vector<OutPort> ports = node.out_ports();
  return std::any_of(ports.begin(), ports.end(), [](const OutPort& port) { return is_model_output(port); });
}

}  // namespace

/// Nodes with the same op, attributes and inputs -> one of them. Patterns ask
/// for the same tensor where a model computes it twice.
void register_common_subexpressions(PassRegistry& passes) {
  passes.add(graph_pass("CommonSubexpressions")
                 .run_after({"RankFolding"})
                 .run_before({"LayoutChange"})
                 .run([](Graph& graph, PassContext&) -> Expected<bool> {
                   MO_ASSIGN(const std::vector<Node> order, graph.topological_order());
                   Expressions expressions(graph);
                   Rewriter rw(graph);
                   bool changed = false;
                   for (const Node& node : order) {
                     if (!node.alive()) continue;
                     if (node.is<Const>()) expressions.add_constant(node);
                     if (node.is<Const>() || !is_function(node)) continue;
                     const Node same = expressions.find_or_remember(node);
                     if (!same || is_read_by_result(node)) continue;
                     expressions.merge(node, same);
                     rw.replace(node, same.out_ports());
                     if (rw.error()) return *rw.error();
                     expressions.remember_ready();
                     changed = true;
                   }
                   return changed;
                 }));
}

}  // namespace mo::transformations
