#include "transformations/runtime_faults/support/convolved.hpp"

#include <set>
#include <vector>

#include "ops/convolution.hpp"
#include "ops/shuffle_channels.hpp"

namespace mo::transformations {
namespace {

constexpr std::int64_t kBlock = 16;          ///< the larger one is a multiple of the smaller one
constexpr std::size_t kMostFollowers = 256;  ///< the search for a convolution is cheap

bool is_convolution(const Node& node) {
  return node.is<ops::Convolution>() || node.is<ops::GroupConvolution>() || node.is<ops::ConvolutionBackpropData>() ||
         node.is<ops::GroupConvolutionBackpropData>();
}

}  // namespace

bool leaves_room_behind_channels(const TensorType& type) {
  const auto rank = type.rank();
  return is_real(type.element_type) && rank && *rank >= 3 && *rank <= 5 && type.shape[1].is_known() &&
         type.shape[1].value() % kBlock != 0;
}

bool is_convolved(const OutPort& tensor) {
  const TensorType& type = tensor.type();
  std::set<NodeId> seen;
  std::vector<OutPort> open{tensor};
  while (!open.empty() && seen.size() < kMostFollowers) {
    const OutPort next = open.back();
    open.pop_back();
    for (const InPort& reader : next.get_destinations()) {
      const Node node = reader.node();
      if (is_convolution(node)) return true;
      if (!seen.insert(node.id()).second || node.is<ops::ShuffleChannels>()) continue;
      for (const OutPort& made : node.out_ports())
        if (made.type().rank() == type.rank() && made.type().shape[1] == type.shape[1]) open.push_back(made);
    }
  }
  return false;
}

Value copied_without_room(Rewriter& rw, const Value& tensor) {
  return rw.create(ops::ShuffleChannels{.axis = 1, .group = 1}, tensor);
}

}  // namespace mo::transformations
