#include "core/pass/elimination.hpp"
#include "core/registry/pass_registry.hpp"
#include "ops/comparison.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/logical.hpp"
#include "ops/normalize_l2.hpp"

namespace mo::transformations {

void register_align_eltwise_input_ranks(PassRegistry& passes) {
  using namespace pattern;
  const Pat node = any_op<ops::Add, ops::Subtract, ops::Multiply, ops::Divide, ops::Power, ops::Maximum, ops::Minimum,
                          ops::Mod, ops::FloorMod, ops::SquaredDifference, ops::Equal, ops::NotEqual, ops::Greater,
                          ops::GreaterEqual, ops::Less, ops::LessEqual, ops::LogicalAnd, ops::LogicalOr,
                          ops::LogicalXor, ops::Xor, ops::FakeQuantize>();
  passes.offer(rewrite("AlignEltwiseInputRanks")
                   .described("Op(x, c), c of lower rank", "Op(x, c of the rank of the result)",
                              "ops of two inputs and FakeQuantize that broadcast as numpy does; constants; known rank "
                              "of the result; not what scales a "
                              "NormalizeL2")
                   .match(node)
                   .replace([=](const Match& m, Rewriter& rw) -> Replacement {
                     const Node op = m.node(node);
                     const auto rank = op.output_type().rank();
                     if (!rank) return declined("the rank is unknown");
                     if (op.attr<std::string>("auto_broadcast").value_or("numpy") != "numpy")
                       return declined("it does not broadcast as numpy does");
                     if (op.is<ops::Multiply>() && op.input(0).node().is<ops::NormalizeL2>())
                       return declined("it scales a NormalizeL2");
                     bool changed = false;
                     for (std::size_t i = 0; i < op.in_port_count(); ++i) {
                       const Const* const input = op.input(i).node().as<Const>();
                       if (!input || input->value.rank() >= *rank) continue;
                       Shape shape(static_cast<std::size_t>(*rank - input->value.rank()), 1);
                       shape.insert(shape.end(), input->value.shape().begin(), input->value.shape().end());
                       rw.set_input(op, i, rw.constant(input->value.reshaped(shape)));
                       changed = true;
                     }
                     return changed ? changed_in_place(op) : declined("no constant has a lower rank");
                   }));
}

}  // namespace mo::transformations
