#include "core/tensor/convert.hpp"
#include "frontends/onnx/ops/support/translate.hpp"
#include "ops/broadcast.hpp"

namespace mo::onnx {
namespace {

Tensor reals_tensor(Shape shape, const std::vector<double>& values) {
  const std::vector<float> numbers(values.begin(), values.end());
  return Tensor::of<float>(std::move(shape), numbers);
}

/// The tensor, whichever of the attributes holds it. Exactly one of them is there.
Expected<Op> extract_constant(const FrameworkNode& node) {
  std::vector<Tensor> found;
  if (auto tensor = node.optional_attr<Tensor>("value")) found.push_back(*std::move(tensor));
  // The reader has made sparse tensors dense.
  if (auto tensor = node.optional_attr<Tensor>("sparse_value")) found.push_back(*std::move(tensor));
  if (const auto number = node.optional_attr<double>("value_float")) found.push_back(reals_tensor({}, {*number}));
  if (const auto numbers = node.optional_attr<std::vector<double>>("value_floats"))
    found.push_back(reals_tensor({static_cast<std::int64_t>(numbers->size())}, *numbers));
  if (const auto number = node.optional_attr<std::int64_t>("value_int")) found.push_back(Tensor::scalar(*number));
  if (const auto numbers = node.optional_attr<std::vector<std::int64_t>>("value_ints"))
    found.push_back(Tensor::vector(*numbers));
  if (const auto text = node.optional_attr<std::string>("value_string")) found.push_back(from_strings({}, {*text}));
  if (const auto texts = node.optional_attr<std::vector<std::string>>("value_strings"))
    found.push_back(from_strings({static_cast<std::int64_t>(texts->size())}, *texts));
  if (node.failure()) return *node.failure();
  if (found.size() != 1 || found.front().empty())
    return node.error("MO-ONNX-0205", "{} attributes hold a value, expected one", found.size())
        .hint("a Constant has exactly one of value, sparse_value, value_float …");
  return Const{found.front()};
}

/// ConstantOfShape-9: one element, by default a real zero, repeated.
Replacement constant_of_shape(const FrameworkNode& node, Rewriter& rw) {
  MO_TRY(node.expect_inputs(1));
  const Tensor value = node.attr("value", Tensor::scalar(0.0F));
  if (value.element_count() != 1)
    return node.error("MO-ONNX-0206", "value has {} elements", value.element_count())
        .hint("value holds the one element that fills the tensor");
  return rw.create(ops::Broadcast{}, rw.constant(value.reshaped({})), node.input(0));
}

}  // namespace

void register_constant(OperatorTable& table) {
  table.extract("Constant", since(1), extract_constant);
  table.translate("ConstantOfShape", since(9), constant_of_shape);
}

}  // namespace mo::onnx
