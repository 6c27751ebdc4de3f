#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/graph/graph.hpp"

/// Which channels of weights can go because they are zero, and with them channels of everything that is computed of
/// them.
namespace mo::transformations {

/// What a channel (all elements at one index of an axis) certainly is. constant: the same for every input of the model.
enum class ChannelState : std::uint8_t { any, constant, zero };

/// The channels of one tensor along one axis.
struct ChannelAxis {
  Value value;
  std::size_t axis = 0;
  std::uint32_t first = 0;  ///< of its channels in the groups
  std::vector<ChannelState> states;
  std::set<UseId> understood;  ///< readers that know what becomes of them when channels go
  std::size_t size() const { return states.size(); }
};

/// Channels that can only go together: a forest of disjoint sets.
class ChannelGroups {
 public:
  /// Null when the axis of the tensor is not followed.
  ChannelAxis* find(const Value& value, std::size_t axis);
  /// The axes of a tensor that are followed.
  std::vector<ChannelAxis*> axes_of(const Value& value);
  /// Follows the axis from now on; it was not before.
  ChannelAxis* follow(const Value& value, std::size_t axis, std::vector<ChannelState> states);
  void join(const ChannelAxis& a, std::size_t i, const ChannelAxis& b, std::size_t j);
  /// Channel by channel; the sizes are equal.
  void join(const ChannelAxis& a, const ChannelAxis& b);
  /// The channel stays, and with it those that are joined with it.
  void keep(const ChannelAxis& axis, std::size_t i) { kept_[axis.first + i] = true; }

  /// Which channels go, by axis. A channel stays when some reader of its tensor would not understand, and when all of
  /// its axis would go.
  std::vector<std::pair<const ChannelAxis*, std::vector<std::int64_t>>> removable();

 private:
  std::uint32_t root(std::uint32_t element);
  void keep_group(std::uint32_t element) { kept_[root(element)] = true; }

  std::map<std::pair<ValueId, std::size_t>, ChannelAxis> axes_;
  std::vector<std::uint32_t> parents_;
  std::vector<bool> kept_;
};

}  // namespace mo::transformations
