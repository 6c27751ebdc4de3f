#include <algorithm>

#include "core/graph/values.hpp"
#include "core/registry/pass_registry.hpp"
#include "core/tensor/convert.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_unary.hpp"
#include "ops/fake_quantize.hpp"
#include "ops/reshape.hpp"
#include "ops/shape_of.hpp"
#include "transformations/support/gathers.hpp"

namespace mo::transformations {
namespace {

/// An op of one input, element by element, or FakeQuantize: its result has the shape of its input.
bool keeps_shape_of_input(const Node& node) {
  return node.is<ops::FakeQuantize>() || node.is("Gelu") ||
         (node.in_port_count() == 1 && node.op_type().traits.elementwise);
}

bool takes_from_shape_of(const Node& gather, const Value& x) {
  const Node shape = gather.input(0).node();
  return (shape.is<ops::v0::ShapeOf>() || shape.is<ops::v3::ShapeOf>()) && shape.input(0) == x;
}

/// The known number of elements of a part of the list; nothing when unknown.
std::optional<std::int64_t> length(const Value& part) {
  const PartialShape& shape = part.type().shape;
  return shape.rank() == 1 && shape[0].is_known() ? std::optional(shape[0].value()) : std::nullopt;
}

/// Whether the part is dimensions of x that end up where they are in x.
bool stays_in_place(const Value& part, const Value& x, std::int64_t place) {
  if (!is_gather(part.node()) || batch_dims_of(part.node()) != 0 || !takes_from_shape_of(part.node(), x)) return false;
  const auto indices = constant_integers_of(part.node().input(1));
  if (!indices || indices->empty()) return false;
  return std::all_of(indices->begin(), indices->end(), [&](std::int64_t index) { return index == place++; });
}

}  // namespace

void register_simplify_second_input_of_reshape(PassRegistry& passes) {
  using namespace pattern;
  const Pat data = any();
  const Pat concat = op<ops::Concat>().rank(1);
  passes.offer(
      rewrite("SimplifySecondInputOfReshape")
          .described(
              "Reshape(x, Concat(…, Gather(ShapeOf(x), i), …))", "Reshape(x, Concat(…, zeros, …))",
              "special_zero; dimensions of x that stay in their places; also after FakeQuantize or an op of one input")
          .match(op<ops::Reshape>(data, concat))
          .replace([=](const Match& m, Rewriter& rw) -> Replacement {
            const Node root = m.root().node();
            if (!root.as<ops::Reshape>()->special_zero) return declined("a 0 does not copy");
            const Value x = keeps_shape_of_input(m[data].node()) ? m[data].node().input(0) : m[data];
            const Node list = m.node(concat);
            std::vector<Value> parts;
            std::int64_t place = 0;
            bool found = false;
            for (std::size_t i = 0; i < list.in_port_count(); ++i) {
              Value part = list.input(i);
              const auto count = length(part);
              if (count && (stays_in_place(part, m[data], place) || stays_in_place(part, x, place))) {
                auto zeros = from_integers(part.type().element_type, {*count},
                                           std::vector<std::int64_t>(static_cast<std::size_t>(*count), 0));
                if (!zeros) return std::move(zeros).error();
                part = rw.constant(*std::move(zeros));
                found = true;
              }
              parts.push_back(part);
              if (!count) {  // where the others are is unknown
                for (++i; i < list.in_port_count(); ++i) parts.push_back(list.input(i));
                break;
              }
              place += *count;
            }
            if (!found) return declined("no dimension of x in its place");
            const bool constant =
                std::all_of(parts.begin(), parts.end(), [](const Value& part) { return part.node().is<Const>(); });
            Value target = rw.create(ops::Concat{.axis = 0}, parts);
            if (constant) {
              const auto numbers = integers_of(target);
              auto tensor = numbers ? from_integers(target.type().element_type,
                                                    {static_cast<std::int64_t>(numbers->size())}, *numbers)
                                    : Expected<Tensor>(Tensor());
              if (!tensor) return std::move(tensor).error();
              if (!tensor->empty()) target = rw.constant(*std::move(tensor));
            }
            return rw.create(ops::Reshape{.special_zero = true}, m[data], target);
          }));
}

}  // namespace mo::transformations
