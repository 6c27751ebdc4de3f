#include "transformations/offline/support/channel_groups.hpp"

#include <algorithm>

namespace mo::transformations {

ChannelAxis* ChannelGroups::find(const Value& value, std::size_t axis) {
  const auto it = axes_.find({value.id(), axis});
  return it == axes_.end() ? nullptr : &it->second;
}

std::vector<ChannelAxis*> ChannelGroups::axes_of(const Value& value) {
  std::vector<ChannelAxis*> found;
  for (auto it = axes_.lower_bound({value.id(), 0}); it != axes_.end() && it->first.first == value.id(); ++it)
    found.push_back(&it->second);
  return found;
}

ChannelAxis* ChannelGroups::follow(const Value& value, std::size_t axis, std::vector<ChannelState> states) {
  const auto first = static_cast<std::uint32_t>(parents_.size());
  for (std::uint32_t i = 0; i < states.size(); ++i) parents_.push_back(first + i);
  kept_.resize(parents_.size());
  ChannelAxis& made = axes_[{value.id(), axis}];
  made = {value, axis, first, std::move(states), {}};
  return &made;
}

std::uint32_t ChannelGroups::root(std::uint32_t element) {
  while (parents_[element] != element) element = parents_[element] = parents_[parents_[element]];
  return element;
}

void ChannelGroups::join(const ChannelAxis& a, std::size_t i, const ChannelAxis& b, std::size_t j) {
  const std::uint32_t x = root(a.first + static_cast<std::uint32_t>(i));
  const std::uint32_t y = root(b.first + static_cast<std::uint32_t>(j));
  parents_[std::max(x, y)] = std::min(x, y);
}

void ChannelGroups::join(const ChannelAxis& a, const ChannelAxis& b) {
  for (std::size_t i = 0; i < a.size(); ++i) join(a, i, b, i);
}

std::vector<std::pair<const ChannelAxis*, std::vector<std::int64_t>>> ChannelGroups::removable() {
  for (const auto& entry : axes_) {
    const ChannelAxis& axis = entry.second;
    const std::vector<InPort> readers = axis.value.get_destinations();
    const bool understood = std::all_of(readers.begin(), readers.end(), [&](const InPort& reader) {
      return axis.understood.contains(reader.id()) || reader.node().op_type().traits.shape_of;
    });
    for (std::uint32_t i = 0; i < axis.size(); ++i)
      if (!understood || kept_[axis.first + i]) keep_group(axis.first + i);
  }
  // A tensor must not become empty; what stays for that keeps its group, which may be one of other tensors.
  for (const auto& [key, axis] : axes_) {
    bool some = false;
    for (std::uint32_t i = 0; i < axis.size() && !some; ++i) some = kept_[root(axis.first + i)];
    for (std::uint32_t i = 0; i < axis.size() && !some; ++i) keep_group(axis.first + i);
  }
  std::vector<std::pair<const ChannelAxis*, std::vector<std::int64_t>>> all;
  for (const auto& [key, axis] : axes_) {
    std::vector<std::int64_t> gone;
    for (std::uint32_t i = 0; i < axis.size(); ++i)
      if (!kept_[root(axis.first + i)]) gone.push_back(i);
    if (!gone.empty()) all.emplace_back(&axis, std::move(gone));
  }
  return all;
}

}  // namespace mo::transformations
