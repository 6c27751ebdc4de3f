#include "extensions/front/tensorflow/support/lists.hpp"

#include <algorithm>

#include "core/tensor/convert.hpp"
#include "extensions/front/tensorflow/support/graphs.hpp"
#include "ops/broadcast.hpp"
#include "ops/build/lengths.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/slice.hpp"
#include "ops/unsqueeze.hpp"

namespace mo::front::tensorflow {

using namespace build;

bool reads_list(const InPort& port) {
  const Node node = port.node();
  if (node.is(kArrayUnpack)) return port.index() == 0;
  if (!node.type().starts_with("tf::TensorList")) return false;
  if (node.is(kListReserve) || node.is(kListFromTensor) || node.is(kListSplit) || node.is("tf::TensorListScatter") ||
      node.is("tf::TensorListScatterV2"))
    return false;
  return port.index() == 0 || (port.index() == 1 && node.is(kListJoin));
}

bool makes_list(const Node& node) {
  for (const std::string_view op :
       {kListReserve, kListEmpty, kListFromTensor, kListSplit, kListWrite, kListPush, kListPop, kListResize,
        kListScatter, kListJoin, kArrayUnpack, std::string_view("tf::TensorListScatter"),
        std::string_view("tf::TensorListScatterV2")})
    if (node.is(op)) return true;
  return false;
}

bool is_fresh_list(const Value& list) {
  const Value source = plain(list);
  return source && (source.node().is(kListReserve) || source.node().is(kListEmpty));
}

Value element_shape(Rewriter& rw, const Node& fresh) {
  const Value given = fresh.input(0);
  if (!given) return {};
  if (const auto numbers = constant_integers(given)) {
    const bool is_vector = constant_type(given).rank() == 1;
    const bool known = std::all_of(numbers->begin(), numbers->end(), [](std::int64_t d) { return d >= 0; });
    return is_vector && known ? rw.integers(*numbers) : Value();
  }
  // A computed shape is complete: unknown dimensions are written as constants. Packed ones may hold a -1.
  const Node source = plain(given).node();
  if (source.is<Parameter>()) return {};
  for (std::size_t i = 0; i < source.in_port_count(); ++i)
    if (const auto part = constant_integers(source.input(i)))
      if (std::any_of(part->begin(), part->end(), [](std::int64_t d) { return d < 0; }) &&
          is_operator(source, {"Pack", "Concat", "ConcatV2"}))
        return {};
  return as_i64(rw, given);
}

Value list_length(Rewriter& rw, const Node& fresh) {
  if (fresh.is(kListEmpty) || !fresh.input(1)) return rw.integers({0});
  if (const auto known = constant_integer(fresh.input(1))) return rw.integers({std::max<std::int64_t>(*known, 0)});
  return as_length(rw, as_i64(rw, fresh.input(1)));
}

ElementType list_element_type(const Node& node) {
  return FrameworkNode(node).attr("element_dtype", ElementType::dynamic);
}

Value zero_list(Rewriter& rw, ElementType type, const Value& length, const Value& shape) {
  auto zero = from_reals(type, {}, {0});
  if (!zero) {
    rw.fail(std::move(zero).error());
    return rw.scalar(0.0F);
  }
  return rw.create(ops::Broadcast{}, rw.constant(*std::move(zero)), join(rw, {length, shape}));
}

Value shape_behind_first(Rewriter& rw, const Value& x) {
  constexpr std::int64_t kEnd = std::numeric_limits<std::int32_t>::max();
  return slice_along(rw, shape_of(rw, x), 0, 1, kEnd);
}

Value padded_list(Rewriter& rw, const Value& x, const Value& length) {
  const Value missing = rw.create(ops::Subtract{}, length, length_along(rw, x, 0));
  const Value count = rw.create(ops::Maximum{}, missing, rw.integers({0}));
  const Value zeros = rw.create(ops::Broadcast{}, number_like(rw, x, 0), join(rw, {count, shape_behind_first(rw, x)}));
  return rw.create(ops::Concat{.axis = 0}, x, zeros);
}

Value range_limit(Rewriter& rw, const Value& indices) {
  const Value source = plain(indices);
  if (!source) return {};
  if (const auto numbers = constant_integers(source)) {
    for (std::size_t i = 0; i < numbers->size(); ++i)
      if ((*numbers)[i] != static_cast<std::int64_t>(i)) return {};
    return constant_type(source).rank() == 1 ? rw.scalar(static_cast<std::int64_t>(numbers->size())) : Value();
  }
  const Node node = source.node();
  if (!is_operator(node, {"Range"}) || node.in_port_count() != 3 || constant_integer(node.input(0)) != 0 ||
      constant_integer(node.input(2)) != 1)
    return {};
  return node.input(1);
}

Value zero_axis(Rewriter& rw) { return rw.scalar<std::int64_t>(0); }

Value as_element(Rewriter& rw, const Value& value) { return rw.create(ops::Unsqueeze{}, value, rw.integers({0})); }

Value with_element_shape(Rewriter& rw, const Value& list, const Node& reader, std::size_t i) {
  const auto sizes =
      reader.input(i) && constant_type(reader.input(i)).rank() == 1 ? constant_integers(reader.input(i)) : std::nullopt;
  if (!sizes || std::none_of(sizes->begin(), sizes->end(), [](std::int64_t d) { return d >= 0; })) return list;
  std::vector<Dimension> dimensions(1);
  for (const std::int64_t size : *sizes) dimensions.push_back(size < 0 ? Dimension() : Dimension(size));
  AttributeMap attributes;
  attributes.set("shape", PartialShape(std::move(dimensions)));
  return rw.create(Op("tf::EnsureShape", std::move(attributes)), list);
}

namespace {

/// The node that created the list, found through writes, which change no length unless the list grows.
Node maker_of(const Value& list) {
  Value at = plain(list);
  for (std::size_t step = 0; at && step < kMostListSteps; ++step) {
    const Node node = at.node();
    // TensorListScatterIntoExisting makes room for all indices; the attribute is there when it was an operator on an
    // array.
    const bool scatters = node.is(kListScatter);
    if ((!node.is(kListWrite) && !scatters) || FrameworkNode(node).attr(kGrows, scatters)) return node;
    at = plain(node.input(0));
  }
  return at ? at.node() : Node();
}

}  // namespace

Value reserved_length(const Value& list) {
  const Node maker = maker_of(list);
  return maker && maker.is(kListReserve) ? maker.input(1) : Value();
}

bool is_length_of(const Value& limit, const Value& list) {
  const Value source = plain(limit);
  if (source && source.node().is(kListSize)) {
    const Value measured = plain(source.node().input(0));
    if (measured && (measured == plain(list) || maker_of(measured) == maker_of(list))) return true;
  }
  const Value length = reserved_length(list);
  return length && limit &&
         (same_numbers(length, limit) ||
          (constant_integer(length) && constant_integer(length) == constant_integer(limit)));
}

RewriteRule list_rule(std::initializer_list<std::string_view> ops, std::size_t inputs,
                      Replacement (*replace)(const Node&, Rewriter&)) {
  return structural_rule({ops.begin(), ops.end()}, inputs, [replace](const Node& node, Rewriter& rw) -> Replacement {
    const FrameworkNode view(node);
    view.optional_attr<ElementType>("element_dtype");
    if (view.failure()) return *view.failure();  // lists of lists
    return replace(node, rw);
  });
}

}  // namespace mo::front::tensorflow
