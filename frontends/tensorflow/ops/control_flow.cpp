#include "frontends/tensorflow/ops/support/structural.hpp"

namespace mo::tensorflow {

/// TensorFlow 1: frames (Enter … Exit) and conditionals (Switch, Merge). TensorFlow 2: functions as branches and bodies.
void register_control_flow(OperatorTable& table) {
  for (const std::string prefix : {"", "Ref"})
    taken_apart(table, {prefix + "Enter", prefix + "Merge", prefix + "Switch", prefix + "Exit", prefix + "NextIteration"});
  taken_apart(table, {"LoopCond"});
  for (const std::string prefix : {"", "Stateless"}) taken_apart(table, {prefix + "If", prefix + "While", prefix + "Case"});
}

}  // namespace mo::tensorflow
