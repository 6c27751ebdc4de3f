#pragma once

#include <array>
#include <string_view>

namespace mo::tensorflow {

/// An op that calls a function with all its inputs and gives its outputs, and the attribute that names it.
struct CallOp {
  std::string_view op;
  std::string_view attribute;
};
inline constexpr std::array kCallOps = {CallOp{"PartitionedCall", "f"}, CallOp{"StatefulPartitionedCall", "f"},
                                        CallOp{"TPUPartitionedCall", "f"}, CallOp{"XlaLaunch", "function"}};

/// An op that owns graphs, and the attributes that name their functions.
struct BodyOp {
  std::string_view op;
  std::array<std::string_view, 2> attributes;
};
inline constexpr std::array kBodyOps = {BodyOp{"If", {"then_branch", "else_branch"}},
                                        BodyOp{"StatelessIf", {"then_branch", "else_branch"}},
                                        BodyOp{"While", {"cond", "body"}},
                                        BodyOp{"StatelessWhile", {"cond", "body"}},
                                        BodyOp{"Case", {"branches", ""}},
                                        BodyOp{"StatelessCase", {"branches", ""}}};

}  // namespace mo::tensorflow
