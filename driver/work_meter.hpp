#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/graph/graph.hpp"
#include "core/support/progress.hpp"
#include "driver/convert.hpp"

namespace mo {

/// Shares of the work of a conversion, for a ProgressSink. Work is what takes time: bytes of the file that are scanned,
/// nodes that passes look at, layers and bytes that are written; a pass that finds nothing to do is next to none.
/// Without a sink it does nothing.
class WorkMeter {
 public:
  explicit WorkMeter(ProgressSink* sink);

  /// Reading is done: how much the rest takes can be told now.
  void graph_is_read(const Graph& graph);
  /// A pass begins.
  void pass(std::string_view name);
  /// The last pass is done, writing begins.
  void emission();
  void finish();

 private:
  /// What follows, up to the next step, is work of `share` of the whole, called `what`.
  void begin(std::string_view what, double share);
  void show(double share);

  ProgressSink* sink_;
  std::string what_;
  double start_ = 0;  ///< share at which the current step began
  double share_ = 0;  ///< of the current step
  double shown_ = 0;
  double pass_work_ = 0;   ///< share of one unit of the weights of passes
  double emission_ = 0.5;  ///< share of writing
  progress::ProgressScope scope_;
};

}  // namespace mo
