#include <algorithm>
#include <bit>
#include <limits>

#include "frontends/tensorflow/ops/support/tensorflow_movement.hpp"
#include "ops/comparison.hpp"
#include "ops/concat.hpp"
#include "ops/elementwise_binary.hpp"
#include "ops/gather.hpp"
#include "ops/select.hpp"
#include "ops/slice.hpp"
#include "ops/strided_slice.hpp"

namespace mo::tensorflow {
namespace {

constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();

/// The number of elements of the first of these inputs that tells it: one for each dimension that is sliced.
std::optional<std::size_t> bound_count(const FrameworkNode& node, std::initializer_list<std::size_t> inputs) {
  for (const std::size_t i : inputs)
    if (const auto count = node.input_type(i).shape.element_count()) return static_cast<std::size_t>(*count);
  return std::nullopt;
}

/// Slice with known begin and size: only the axes that get shorter.
Replacement constant_slice(const FrameworkNode& node, Rewriter& rw, const Integers& begin, const Integers& size) {
  Integers axes;
  Integers starts;
  Integers stops;
  for (std::size_t i = 0; i < begin.size(); ++i) {
    if (begin[i] == 0 && size[i] == -1) continue;
    axes.push_back(static_cast<std::int64_t>(i));
    starts.push_back(begin[i]);
    stops.push_back(size[i] == -1 || size[i] > kToTheEnd - begin[i] ? kToTheEnd : begin[i] + size[i]);
  }
  if (axes.empty()) return node.input(0);
  return rw.create(ops::Slice{}, node.input(0), rw.integers(starts), rw.integers(stops),
                   rw.integers(Integers(axes.size(), 1)), rw.integers(axes));
}

/// One element of a list: a number, or a computed vector of one element.
struct ListElement {
  std::optional<std::int64_t> number;
  Value computed;
};

/// The elements of a list that the model puts together of constants and single elements; nothing when it is made in
/// another way.
std::optional<std::vector<ListElement>> packed_elements(const Value& list) {
  const auto* concat = list.node().as<ops::Concat>();
  if (!concat || concat->axis != 0) return std::nullopt;
  std::vector<ListElement> elements;
  for (const InPort& port : list.node().in_ports()) {
    const Value piece = port.get_source();
    if (const auto numbers = constant_integers_of(piece))
      for (const std::int64_t number : *numbers) elements.push_back({number, {}});
    else if (has_one_element(piece))
      elements.push_back({std::nullopt, piece});
    else
      return std::nullopt;
  }
  return elements;
}

/// Where a slice of known begin and packed sizes ends. Element by element, so that inference keeps what is known of the
/// others.
Value end_of_slice(const FrameworkNode& node, Rewriter& rw, const Integers& begin,
                   const std::vector<ListElement>& sizes, ElementType type, Integers& end_mask) {
  std::vector<Value> ends;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const Value first = typed_vector(rw, type, {begin[i]});
    if (sizes[i].number) {
      end_mask[i] = *sizes[i].number == -1;
      ends.push_back(typed_vector(rw, type, {end_mask[i] != 0 ? 0 : begin[i] + *sizes[i].number}));
      continue;
    }
    const Value to_the_end = rw.create(ops::Less{}, sizes[i].computed, typed_scalar(rw, type, 0));
    const Value dimension = rw.create(ops::Gather{}, visible_shape(rw, node, node.input(0), type),
                                      rw.integers({static_cast<std::int64_t>(i)}), rw.scalar<std::int64_t>(0));
    ends.push_back(rw.create(ops::Select{}, to_the_end, dimension, rw.create(ops::Add{}, first, sizes[i].computed)));
  }
  return join(rw, ends);
}

/// A Slice of which begin or size is computed: a StridedSlice, which all op sets have.
Replacement computed_slice(const FrameworkNode& node, Rewriter& rw, const std::optional<Integers>& begin,
                           const std::optional<Integers>& size) {
  const ElementType type = node.input_type(1).element_type;
  const auto packed = begin ? packed_elements(node.input(2)) : std::nullopt;
  const auto count = bound_count(node, {1, 2});
  if (size && count && *count != size->size())
    return node.error("MO-TF-0556", "begin has {} elements and size {}", *count, size->size())
        .hint("both have one for each dimension");
  ops::StridedSlice slice;
  slice.begin_mask = slice.end_mask = Integers(count.value_or(1), 0);
  Value end;
  if (packed && packed->size() == begin->size()) {
    for (std::size_t i = 0; i < packed->size(); ++i)
      if (const auto number = (*packed)[i].number; number && (*number < -1 || *number > kToTheEnd - (*begin)[i]))
        return node.error("MO-TF-0556", "element {} of size is {}", i, *number)
            .hint("sizes are not negative; -1 means to the end");
    end = end_of_slice(node, rw, *begin, *packed, type, slice.end_mask);
  } else {
    end = rw.create(ops::Add{}, node.input(1), node.input(2));
    if (size) {
      for (std::size_t i = 0; i < size->size(); ++i) slice.end_mask[i] = (*size)[i] == -1;
    } else {
      const Value to_the_end = rw.create(ops::Less{}, node.input(2), typed_scalar(rw, type, 0));
      end = rw.create(ops::Select{}, to_the_end, visible_shape(rw, node, node.input(0), type), end);
    }
  }
  const Value steps = count ? typed_vector(rw, type, Integers(*count, 1))
                            : repeat(rw, typed_scalar(rw, type, 1), shape_of(rw, node.input(1)));
  return rw.create(std::move(slice), node.input(0), node.input(1), end, steps);
}

/// Slice(x, begin, size): size -1 means to the end.
Replacement slice(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(3));
  const auto begin = constant_integers_of(node.input(1));
  const auto size = constant_integers_of(node.input(2));
  if (begin && size && begin->size() != size->size())
    return node.error("MO-TF-0556", "begin has {} elements and size {}", begin->size(), size->size())
        .hint("both have one for each dimension");
  if (begin && !none_negative(begin))
    return node.error("MO-TF-0556", "begin has a negative number").hint("begin counts from the front");
  if (size && std::any_of(size->begin(), size->end(), [](std::int64_t v) { return v < -1; }))
    return node.error("MO-TF-0556", "size has a number below -1").hint("sizes are not negative; -1 means to the end");
  return begin && size ? constant_slice(node, rw, *begin, *size) : computed_slice(node, rw, begin, size);
}

/// What the bit fields of a StridedSlice say, one bit for each element of begin.
struct Masks {
  std::uint64_t begin, end, ellipsis, new_axis, shrink;
};

Expected<std::uint64_t> mask_of(const FrameworkNode& node, const char* name) {
  const auto bits = node.attr<std::int64_t>(name, 0);
  if (bits < 0 || bits > INT32_MAX)
    return node.error("MO-TF-0555", "{} is {}", name, bits)
        .hint("a mask has up to 31 bits, one for each element of begin; save the model again");
  return static_cast<std::uint64_t>(bits);
}

Expected<Masks> masks_of(const FrameworkNode& node) {
  Masks masks{};
  MO_ASSIGN(masks.begin, mask_of(node, "begin_mask"));
  MO_ASSIGN(masks.end, mask_of(node, "end_mask"));
  MO_ASSIGN(masks.ellipsis, mask_of(node, "ellipsis_mask"));
  MO_ASSIGN(masks.new_axis, mask_of(node, "new_axis_mask"));
  MO_ASSIGN(masks.shrink, mask_of(node, "shrink_axis_mask"));
  return masks;
}

/// The first `count` bits as TensorFlow reads them: ellipsis before new axis before shrink, and only what is left has
/// bounds to mask. An element that shrinks its axis is taken at begin, whatever begin_mask says.
ops::StridedSlice sliced_by(const Masks& masks, std::size_t count) {
  ops::StridedSlice op;
  op.begin_mask = op.end_mask = op.new_axis_mask = op.shrink_axis_mask = op.ellipsis_mask = Integers(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto is_set = [i](std::uint64_t mask) { return i < 32 && (mask >> i & 1) != 0; };
    if (is_set(masks.ellipsis)) {
      op.ellipsis_mask[i] = 1;
    } else if (is_set(masks.new_axis)) {
      op.new_axis_mask[i] = 1;
    } else if (is_set(masks.shrink)) {
      op.shrink_axis_mask[i] = 1;
    } else {
      op.begin_mask[i] = is_set(masks.begin);
      op.end_mask[i] = is_set(masks.end);
    }
  }
  return op;
}

bool any_set(const Integers& mask) {
  return std::any_of(mask.begin(), mask.end(), [](std::int64_t m) { return m != 0; });
}

/// StridedSlice(x, begin, end, strides) with bit fields -> the same with one number for each bit
Replacement strided_slice(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(expect_tensor(node));
  MO_TRY(node.expect_inputs(4));
  MO_ASSIGN(const Masks masks, masks_of(node));
  const auto known = bound_count(node, {1, 2, 3});
  constexpr std::size_t kMostBits = 32;
  if (known && *known > kMostBits)
    return node.error("MO-TF-0556", "begin has {} elements", *known)
        .hint("a StridedSlice has up to {} of them", kMostBits);
  for (const std::size_t i : {1U, 2U, 3U})
    node.ignore_input(i, "a list whose length is 0, or a bound that is read below");
  if (known && *known == 0) return node.input(0);
  // Without a known length, as far as there are bits; the op takes missing ones for 0.
  const auto highest = static_cast<std::size_t>(
      std::bit_width(masks.begin | masks.end | masks.ellipsis | masks.new_axis | masks.shrink));
  ops::StridedSlice op = sliced_by(masks, known.value_or(std::max<std::size_t>(highest, 1)));
  if (const auto strides = integers_of(node.input(3)))
    for (std::size_t i = 0; i < std::min(strides->size(), op.shrink_axis_mask.size()); ++i)
      if (op.shrink_axis_mask[i] != 0 && (*strides)[i] <= 0)
        return node.error("MO-TF-0556", "element {} of strides is {} where shrink_axis_mask is set", i, (*strides)[i])
            .hint("one element is taken with a positive stride");

  Value bounds[] = {node.input(1), node.input(2), node.input(3)};
  if (is_complex(node) && any_set(op.ellipsis_mask)) {
    // The ellipsis is not to reach over the hidden dimension.
    if (!known)
      return node.error("MO-TF-0550", "an ellipsis in complex numbers with computed bounds")
          .hint("make begin, end or strides constant in the model");
    for (std::size_t i = 0; i < 3; ++i) bounds[i] = with_hidden(rw, node, bounds[i], i == 2 ? 1 : 0);
    for (Integers* mask : {&op.begin_mask, &op.end_mask}) mask->push_back(1);
    for (Integers* mask : {&op.new_axis_mask, &op.shrink_axis_mask, &op.ellipsis_mask}) mask->push_back(0);
  }
  for (Integers* mask : {&op.new_axis_mask, &op.shrink_axis_mask, &op.ellipsis_mask})
    if (!any_set(*mask)) mask->clear();
  return rw.create(std::move(op), node.input(0), bounds[0], bounds[1], bounds[2]);
}

}  // namespace

void register_slicing(OperatorTable& table) {
  table.translate("Slice", slice);
  table.translate("StridedSlice", strided_slice);
}

}  // namespace mo::tensorflow
