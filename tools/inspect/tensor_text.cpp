#include "tools/inspect/tensor_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/tensor/convert.hpp"
#include "frontends/tensorflow/data_types.hpp"

namespace mo::tools {
namespace {

constexpr std::size_t kShown = 3;

/// The first elements, each as text.
std::vector<std::string> elements_of(const Tensor& tensor) {
  std::vector<std::string> texts;
  const auto count = std::min<std::size_t>(kShown, static_cast<std::size_t>(tensor.element_count()));
  if (tensor.element_type() == ElementType::string) {
    const auto strings = to_strings(tensor);
    for (std::size_t i = 0; strings && i < count; ++i) texts.push_back((*strings)[i]);
    return texts;
  }
  if (is_named(tensor.element_type())) return texts;
  const auto head =
      Tensor::from_buffer(tensor.element_type(), {static_cast<std::int64_t>(count)}, tensor.buffer(), tensor.offset());
  const auto loaded = head ? head->load() : tensor.load();
  if (!loaded) return texts;
  if (holds_reals(tensor.element_type())) {
    const auto numbers = to_reals(*loaded);
    for (std::size_t i = 0; numbers && i < count; ++i) texts.push_back(fmt::format("{:.6g}", (*numbers)[i]));
  } else {
    const auto numbers = to_integers(*loaded);
    for (std::size_t i = 0; numbers && i < count; ++i) texts.push_back(std::to_string((*numbers)[i]));
  }
  return texts;
}

class Brackets {
 public:
  Brackets(const Shape& shape, std::vector<std::string> elements) : shape_(shape), elements_(std::move(elements)) {}
  std::string text() {
    if (shape_.empty()) return elements_.empty() ? "" : elements_.front();
    append(0);
    return std::move(text_);
  }

 private:
  void append(std::size_t axis) {
    // Recursion as deep as a tensor has dimensions.
    const auto size = static_cast<std::size_t>(shape_[axis]);
    const bool is_last = axis + 1 == shape_.size();
    for (std::size_t i = 0; i < size; ++i) {
      if (next_ >= elements_.size()) {
        text_ += "...";
        return;
      }
      if (is_last) {
        if (i > 0) text_ += ' ';
        text_ += elements_[next_++];
      } else {
        text_ += '[';
        append(axis + 1);
        text_ += ']';
      }
    }
  }
  const Shape& shape_;
  std::vector<std::string> elements_;
  std::size_t next_ = 0;
  std::string text_;
};

}  // namespace

std::string type_text(std::int64_t data_type) {
  if (data_type == 0) return "INVALID";
  std::string name = tensorflow::data_type_name(data_type);
  if (name.starts_with("DT_")) name.erase(0, 3);
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return tensorflow::is_reference_type(data_type) ? name + "_ref" : name;
}

std::string tensor_text(const Tensor& tensor, std::int64_t data_type) {
  return fmt::format("Tensor<type: {} shape: [{}] values: {}>", type_text(data_type), fmt::join(tensor.shape(), ","),
                     Brackets(tensor.shape(), elements_of(tensor)).text());
}

}  // namespace mo::tools
