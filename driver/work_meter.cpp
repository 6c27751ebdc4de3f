#include "driver/work_meter.hpp"

#include <algorithm>
#include <array>

namespace mo {
namespace {

/// Reading is this much of the whole until more is known: what it is for graphs without large weights.
constexpr double kReading = 0.25;

/// Microseconds for a node and for a kilobyte of constants, as measured on graphs of 300 000 nodes and on models of 400
/// MB. Only their relations matter.
constexpr double kPassesPerNode = 6;
constexpr double kEmissionPerNode = 10;
constexpr double kEmissionPerKilobyte = 0.6;

struct PassWeight {
  std::string_view name;
  double weight;
};

/// Passes that look at all of each node; the others have kOther. The sum over a pipeline of about a hundred passes is
/// near 30.
constexpr std::array kPassWeights{
    PassWeight{"FinalInference", 9},       PassWeight{"PartialInference", 6}, PassWeight{"Extraction", 4},
    PassWeight{"CommonSubexpressions", 2}, PassWeight{"CheckTarget", 1.5},    PassWeight{"DeadCodeElimination", 1.5},
    PassWeight{"UniqueNames", 1},
};
constexpr double kOther = 0.05;
constexpr double kAllPasses = 30;
/// Smaller steps forward are not shown.
constexpr double kVisible = 0.0005;

}  // namespace

WorkMeter::WorkMeter(ProgressSink* sink)
    : sink_(sink), scope_([this](std::uint64_t done, std::uint64_t total) {
        show(start_ + share_ * static_cast<double>(std::min(done, total)) / static_cast<double>(total));
      }) {
  begin("reading", kReading);
}

void WorkMeter::graph_is_read(const Graph& graph) {
  if (!sink_) return;
  double bytes = 0;
  std::size_t nodes = 0;
  for (const Node node : graph.nodes()) {
    ++nodes;
    if (const auto* constant = node.as<Const>()) bytes += static_cast<double>(constant->value.byte_size());
  }
  const double passes = kPassesPerNode * static_cast<double>(nodes);
  const double emission = kEmissionPerNode * static_cast<double>(nodes) + kEmissionPerKilobyte * bytes / 1024;
  emission_ = (1 - kReading) * emission / std::max(1.0, passes + emission);
  pass_work_ = (1 - kReading - emission_) / kAllPasses;
}

void WorkMeter::pass(std::string_view name) {
  if (!sink_) return;
  const auto* row = std::ranges::find(kPassWeights, name, &PassWeight::name);
  const double left = std::max(0.0, 1 - emission_ - (start_ + share_));
  begin(name, std::min(left, pass_work_ * (row == kPassWeights.end() ? kOther : row->weight)));
}

void WorkMeter::emission() {
  share_ = std::max(0.0, 1 - emission_ - start_);
  begin("writing", emission_);
}

void WorkMeter::finish() {
  if (sink_) sink_->step(1, what_);
}

void WorkMeter::begin(std::string_view what, double share) {
  if (!sink_) return;
  start_ += share_;
  share_ = share;
  what_ = what;
  shown_ = std::max(shown_, start_);
  sink_->step(shown_, what_);
}

void WorkMeter::show(double share) {
  if (!sink_ || share < shown_ + kVisible) return;
  shown_ = share;
  sink_->step(share, what_);
}

}  // namespace mo
