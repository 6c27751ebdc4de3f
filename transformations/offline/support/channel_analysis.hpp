#pragma once

#include "core/pass/pass.hpp"
#include "transformations/offline/support/channel_groups.hpp"

namespace mo::transformations {

/// The mark that the passes of pruning leave at nodes for each other. InitMasks: the field `zero` holds the output
/// channels that weights make zero. PropagateMasks: the field `axis_<i>` holds the channels that go from axis i of the
/// first output.
inline constexpr std::string_view kChannelMask = "channel_mask";

/// Follows channels from the ops that make them of weights to those that sum over them, and says which may go without a
/// change of any number that the model gives. What an op is not known to do with channels keeps them.
class ChannelAnalysis {
 public:
  explicit ChannelAnalysis(const Graph& graph) : graph_(graph) {}
  /// Errors: MO-GRAPH-0010; those of loading constants.
  Expected<void> run();
  ChannelGroups& groups() { return groups_; }
  /// Output channels of a convolution or a matrix product that its weights make zero; empty for other nodes, and where
  /// weights are computed.
  std::vector<std::int64_t> zero_channels(const Node& node);

 private:
  struct Weighted {
    Value data;
    Value weights;
    std::size_t data_axis = 0;
    std::size_t sum_axis = 0;   ///< of the weights: over which is summed
    std::size_t made_axis = 0;  ///< of the weights: the output channels
    std::size_t output_axis = 0;
  };
  static std::optional<Weighted> weighted(const Node& node);

  void visit(const Node& node);
  void visit_weighted(const Node& node, const Weighted& op);
  void visit_depthwise(const Node& node);
  void visit_concat(const Node& node);
  void visit_reshape(const Node& node);
  void visit_reduction(const Node& node);
  void visit_transpose(const Node& node);
  void visit_keeping(const Node& node);
  ChannelAxis* through_elementwise(const Node& node, std::size_t output_axis);
  /// An axis of a tensor that is computed of constants only, and can be cut; null otherwise.
  ChannelAxis* of_constants(const Value& value, std::size_t axis);
  ChannelAxis* any_axis(const Value& value, std::size_t axis);
  void pass_on(ChannelAxis& from, const InPort& reader, const Value& to, std::size_t axis,
               std::vector<ChannelState> states);

  const Graph& graph_;
  ChannelGroups groups_;
  std::optional<Error> error_;
};

}  // namespace mo::transformations
