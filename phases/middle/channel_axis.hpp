#pragma once

#include <optional>

#include "core/graph/graph.hpp"

namespace mo::phases {

/// Finds the dimension of an input that holds its channels.
class ChannelFinder {
 public:
  /// `channels_first`: the framework has every image so (Caffe).
  ChannelFinder(const Graph& graph, bool channels_first);

  /// The dimension of `parameter` with `count` channels. In this order: what the ops that read it take for channels
  /// (through elementwise ops and Transposes); the layout that all images of the model have; the only dimension of the
  /// right size, second or last (any of three); the only one of these that may have it. Errors: MO-PRE-0002 (no
  /// dimension fits), MO-PRE-0013 (it is ambiguous).
  Expected<std::size_t> find(const Node& parameter, std::size_t count) const;

 private:
  bool channels_first_;
  bool channels_last_;
};

}  // namespace mo::phases
