#include "core/op/infer_context.hpp"

#include "core/diagnostics/misuse.hpp"
#include "core/tensor/convert.hpp"

namespace mo {

InferContext::InferContext(const OpType& op, std::vector<TensorFact> inputs, const std::vector<bool>& present,
                           std::size_t outputs, BodyInference* bodies)
    : op_(&op), outputs_(outputs), bodies_(bodies), own_(std::move(inputs)), own_views_(own_.size()) {
  for (std::size_t i = 0; i < own_.size(); ++i)
    if (present[i]) own_views_[i] = view_of(own_[i]);
  inputs_ = own_views_;
}

const TensorType& InferContext::input(std::size_t i) const {
  static const TensorType unknown;
  if (has_input(i)) return *inputs_[i].type;
  if (!absent_input_) absent_input_ = i;
  return unknown;
}

const Tensor* InferContext::value(std::size_t i) const { return i < inputs_.size() ? inputs_[i].value : nullptr; }

TensorFact InferContext::input_fact(std::size_t i) const {
  if (!has_input(i)) return {};
  const FactView& view = inputs_[i];
  return {*view.type, view.value ? *view.value : Tensor(), view.partial ? *view.partial : nullptr};
}

std::optional<std::vector<std::int64_t>> InferContext::integers(std::size_t i) const {
  const Tensor* tensor = value(i);
  if (!tensor) return std::nullopt;
  auto numbers = to_integers(*tensor);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

std::optional<std::int64_t> InferContext::integer(std::size_t i) const {
  const Tensor* tensor = value(i);
  if (!tensor || tensor->element_count() != 1) return std::nullopt;
  const auto numbers = integers(i);
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}

std::optional<std::vector<double>> InferContext::reals(std::size_t i) const {
  const Tensor* tensor = value(i);
  if (!tensor) return std::nullopt;
  auto numbers = to_reals(*tensor);
  return numbers ? std::optional(*std::move(numbers)) : std::nullopt;
}

std::optional<PartialValue> InferContext::partial(std::size_t i) const {
  if (!has_input(i)) return std::nullopt;
  if (inputs_[i].partial) return **inputs_[i].partial;
  const Tensor* tensor = value(i);
  if (!tensor || tensor->element_count() > kMaxPartialElements || !is_integral(tensor->element_type()))
    return std::nullopt;
  const auto numbers = integers(i);
  if (!numbers) return std::nullopt;
  return PartialValue{tensor->shape(), std::vector<Dimension>(numbers->begin(), numbers->end())};
}

TensorFact* InferContext::output_fact(std::size_t i) {
  if (i < outputs_.size()) return &outputs_[i];
  if (const std::size_t has = op_->traits.outputs; has != 0 && i >= has)
    throw Misuse(fmt::format("the type of output {} was set, but the op has {}", i, has));
  return nullptr;
}

void InferContext::output(std::size_t i, TensorType type) {
  if (TensorFact* const fact = output_fact(i)) fact->type = std::move(type);
}

void InferContext::output_value(std::size_t i, Tensor value) {
  TensorFact* const fact = output_fact(i);
  if (!fact) return;
  fact->type = value.type();
  fact->value = std::move(value);
}

void InferContext::output_partial(std::size_t i, PartialValue value) {
  TensorFact* const fact = output_fact(i);
  if (!fact) return;
  bool all_known = true;
  std::vector<std::int64_t> numbers;
  for (const Dimension& d : value.elements) {
    all_known = all_known && d.is_known();
    numbers.push_back(d.min());
  }
  const ElementType type = fact->type.element_type;
  if (all_known && is_integral(type)) {
    if (auto tensor = from_integers(type, value.shape, numbers)) fact->value = *std::move(tensor);
  } else {
    fact->partial = std::make_shared<const PartialValue>(std::move(value));
  }
}

Expected<void> InferContext::expect_inputs(std::size_t least, std::size_t most) const {
  const auto wanted = [&] { return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most); };
  if (inputs_.size() < least || inputs_.size() > most)
    return error("MO-OPS-0001", "{} inputs, {} expected", inputs_.size(), wanted()).hint("check the node in the model");
  for (std::size_t i = 0; i < least; ++i)
    if (!has_input(i))
      return error("MO-OPS-0001", "input {} is missing, {} expected", i, wanted()).hint("check the node in the model");
  return {};
}

Expected<void> InferContext::expect_rank(std::size_t i, std::int64_t least, std::int64_t most) const {
  const auto rank = input(i).rank();
  if (!rank || (*rank >= least && *rank <= most)) return {};
  return error("MO-OPS-0003", "input {} has shape {}, a rank of {} is expected", i, input_shape(i).to_string(),
               least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most))
      .hint("check --input_shape and the layout of the model");
}

TensorFact without_symbols(TensorFact fact) {
  if (fact.type.shape.has_rank())
    for (Dimension& d : fact.type.shape.dims()) d = Dimension(d.min(), d.max());
  if (fact.partial) {
    auto copy = std::make_shared<PartialValue>(*fact.partial);
    for (Dimension& d : copy->elements) d = Dimension(d.min(), d.max());
    fact.partial = std::move(copy);
  }
  return fact;
}

}  // namespace mo
