#include "transformations/support/dequantization.hpp"

#include "ops/convert.hpp"
#include "ops/elementwise_binary.hpp"

namespace mo::transformations {

bool is_dequantization(const Node& multiply) {
  Node producer = multiply.input(0).node();
  if (producer.is<ops::Subtract>()) producer = producer.input(0).node();
  if (!producer.is<ops::Convert>()) return false;
  const ElementType from = producer.input_type(0).element_type;
  return from == ElementType::i8 || from == ElementType::u8;
}

}  // namespace mo::transformations
