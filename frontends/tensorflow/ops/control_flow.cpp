#include "frontends/tensorflow/ops/support/structural.hpp"

namespace mo::tensorflow {

/// TensorFlow 1: frames (Enter … Exit) and conditionals (Switch, Merge). TensorFlow 2: functions as branches and
/// bodies.
void register_control_flow(OperatorTable& table) {
  for (const std::string prefix : {"", "Ref"})
    taken_apart(table,
                {prefix + "Enter", prefix + "Merge", prefix + "Switch", prefix + "Exit", prefix + "NextIteration"},
                {"N", "frame_name", "is_constant", "parallel_iterations"});
  taken_apart(table, {"LoopCond"}, {});
  for (const std::string prefix : {"", "Stateless"}) {
    taken_apart(table, {prefix + "If"}, {"Tin", "Tout", "then_branch", "else_branch", "output_shapes"});
    taken_apart(table, {prefix + "While"}, {"T", "cond", "body", "output_shapes", "parallel_iterations"});
    taken_apart(table, {prefix + "Case"}, {"Tin", "Tout", "branches", "output_shapes"});
  }
}

}  // namespace mo::tensorflow
