#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/common/hash_map.hpp"
#include "frontends/tensorflow/model_state.hpp"

namespace mo::tensorflow {

/// How many nodes calls of functions make, from the library alone: 40 functions that each call the one before twice
/// make 2^40.
class CallSizes {
 public:
  explicit CallSizes(ModelState& model) : model_(model) {}

  /// The nodes that one call of a function makes, those of the functions that it calls included; at most one more than
  /// limits::kInlinedNodes. A lower bound: what is not in the library, what calls itself, and a function that an
  /// attribute of the call names count 0.
  Expected<std::uint64_t> nodes_of(const std::string& function);

 private:
  /// A function of the library: each of its nodes is read once.
  struct Size {
    std::uint64_t nodes = 0;         ///< of its own, then with all that it calls
    std::vector<std::string> calls;  ///< as often as it calls them
    std::size_t next = 0;            ///< the first call that is not added yet
  };
  Expected<Size> read(const Function& function) const;
  Expected<void> read_node(const frontends::WireField& message, Size& size) const;

  ModelState& model_;
  frontends::HashMap<std::string, Size> sizes_;
};

}  // namespace mo::tensorflow
