#include "ops/support/moving.hpp"

#include <algorithm>

#include "core/inference/evaluate.hpp"
#include "core/tensor/convert.hpp"
#include "core/tensor/packing.hpp"
#include "core/tensor/small_real.hpp"

namespace mo::ops {
namespace {

bool moved(std::uint32_t mask, std::size_t input) { return ((mask >> std::min<std::size_t>(input, 31)) & 1U) != 0; }

std::vector<std::int64_t> next_ids(std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> ids(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = first + static_cast<std::int64_t>(i);
  return ids;
}

}  // namespace

bool moves_packed_elements(const EvalContext& ctx, std::uint32_t moves_elements) {
  for (std::size_t i = 0; i < ctx.input_count(); ++i)
    if (ctx.has_input(i) && moved(moves_elements, i) && bit_width(ctx.input(i).element_type()) < 8) return true;
  return false;
}

Expected<void> evaluate_by_ids(EvalContext& ctx, const OpType& type, const void* payload) {
  // Number 0: an element that the op adds itself (padding).
  std::vector<std::string> strings(1);
  std::vector<std::int64_t> numbers(1);
  ElementType element_type = ElementType::dynamic;
  std::vector<Tensor> inputs(ctx.input_count());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!ctx.has_input(i)) continue;
    inputs[i] = ctx.input(i);
    if (!moved(type.traits.moves_elements, i)) continue;
    const Tensor& tensor = ctx.input(i);
    element_type = tensor.element_type();
    if (element_type == ElementType::string) {
      MO_ASSIGN(std::vector<std::string> elements, to_strings(tensor));
      inputs[i] = Tensor::of<std::int64_t>(tensor.shape(),
                                           next_ids(static_cast<std::int64_t>(strings.size()), tensor.element_count()));
      strings.insert(strings.end(), std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()));
    } else {
      inputs[i] = Tensor::of<std::int64_t>(tensor.shape(),
                                           next_ids(static_cast<std::int64_t>(numbers.size()), tensor.element_count()));
      for (std::int64_t e = 0; e < tensor.element_count(); ++e) numbers.push_back(sub_byte_element(tensor, e));
      if (is_small_real(element_type)) numbers[0] = nearest_small_real(element_type, 0);
    }
  }
  MO_ASSIGN(const std::vector<Tensor> results, evaluate_op(type, payload, std::move(inputs), ctx.output_count()));
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto ids = results[i].values<std::int64_t>();
    if (element_type == ElementType::string) {
      std::vector<std::string> elements;
      elements.reserve(ids.size());
      for (const std::int64_t id : ids) elements.push_back(strings[static_cast<std::size_t>(id)]);
      ctx.set_output(i, from_strings(results[i].shape(), elements));
    } else {
      std::vector<std::int64_t> elements;
      elements.reserve(ids.size());
      for (const std::int64_t id : ids) elements.push_back(numbers[static_cast<std::size_t>(id)]);
      MO_ASSIGN(const Tensor patterns, from_integers(ElementType::i8, results[i].shape(), elements));
      MO_ASSIGN(Tensor packed, packed_patterns(patterns, element_type));
      ctx.set_output(i, std::move(packed));
    }
  }
  return {};
}

std::optional<PartialValue> moved_partial(const InferContext& ctx, const OpType& type, const void* payload) {
  std::vector<Dimension> elements = {Dimension(0)};
  std::vector<Tensor> inputs(ctx.input_count());
  bool any_unknown = false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!ctx.has_input(i)) continue;
    if (moved(type.traits.moves_elements, i)) {
      const auto partial = ctx.partial(i);
      if (!partial) return std::nullopt;
      any_unknown = any_unknown || !ctx.value(i);
      inputs[i] = Tensor::of<std::int64_t>(
          partial->shape,
          next_ids(static_cast<std::int64_t>(elements.size()), static_cast<std::int64_t>(partial->elements.size())));
      elements.insert(elements.end(), partial->elements.begin(), partial->elements.end());
    } else {
      const Tensor* value = ctx.value(i);
      if (!value || value->element_count() > kMaxPartialElements) return std::nullopt;
      inputs[i] = *value;
    }
  }
  if (!any_unknown) return std::nullopt;
  const auto results = evaluate_op(type, payload, std::move(inputs), 1);
  if (!results || results->front().element_count() > kMaxPartialElements) return std::nullopt;
  PartialValue value{results->front().shape(), {}};
  for (const std::int64_t id : results->front().values<std::int64_t>())
    value.elements.push_back(elements[static_cast<std::size_t>(id)]);
  return value;
}

}  // namespace mo::ops
