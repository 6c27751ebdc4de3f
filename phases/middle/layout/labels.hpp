#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mo::phases::layout {

/// How a tensor lies in memory: as the model wrote it down ([N, spatial…, C] for images), or channels-first.
enum class Label : std::uint8_t { original, channels_first };

/// Which labels for groups of ports make the inserted Transposes cheapest.
///
/// Vertices are groups; the first two are pinned. A tensor is produced with the label of one group and read by others;
/// when any of them has the other label, the tensor needs one Transpose, which costs `cost` once, however many readers
/// share it.
class LabelProblem {
 public:
  using Vertex = std::uint32_t;
  static constexpr Vertex kOriginal = 0;
  static constexpr Vertex kChannelsFirst = 1;

  Vertex add_group() { return vertex_count_++; }
  void add_tensor(Vertex producer, std::uint64_t cost, std::span<const Vertex> consumers);

  struct Tensor {
    Vertex producer;
    std::uint32_t first_consumer;
    std::uint32_t consumer_count;
    std::uint64_t cost;
  };
  std::uint32_t vertex_count() const { return vertex_count_; }
  const std::vector<Tensor>& tensors() const { return tensors_; }
  std::span<const Vertex> consumers(const Tensor& tensor) const {
    return {consumers_.data() + tensor.first_consumer, tensor.consumer_count};
  }
  /// What a labelling (one label for each vertex) costs.
  std::uint64_t cost(const std::vector<Label>& labels) const;

 private:
  std::uint32_t vertex_count_ = 2;
  std::vector<Tensor> tensors_;
  std::vector<Vertex> consumers_;
};

/// A labelling of least cost: a minimum cut between the two pinned vertices. Among several, the one with the most
/// groups channels-first, so that Transposes stand at the ends of a region; groups that no tensor connects with
/// `kChannelsFirst` stay original. Chains are contracted first: about linear for the graphs of models.
std::vector<Label> cheapest_labels(const LabelProblem& problem);

}  // namespace mo::phases::layout
